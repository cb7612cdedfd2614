"""Work that blocks, done in a thread, as a stream of what it yields."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable, Iterator
from typing import TypeVar

Item = TypeVar("Item")


async def stream_from_thread(work: Callable[[threading.Event], Iterator[Item]]) -> AsyncGenerator[Item, None]:
    """What the work yields, as it is ready; the work never waits for who reads.

    Closing the generator sets the event that the work was given, and returns once the work has ended.
    """
    ready: asyncio.Queue[Item | Exception | None] = asyncio.Queue()
    loop = asyncio.get_running_loop()
    stop = threading.Event()

    def put(item: Item | Exception | None) -> None:
        loop.call_soon_threadsafe(ready.put_nowait, item)

    def run() -> None:
        try:
            for item in work(stop):
                put(item)
            put(None)
        except Exception as error:
            put(error)

    running = asyncio.create_task(asyncio.to_thread(run))
    try:
        while (item := await ready.get()) is not None:
            if isinstance(item, Exception):
                raise item
            yield item
    finally:
        stop.set()
        await asyncio.wait([running])
