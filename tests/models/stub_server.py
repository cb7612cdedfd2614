"""A small real HTTP server on loopback whose answers a test scripts."""

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Reply:
    """What the server answers; `raw` in place of everything else, empty to reset the connection."""

    body: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None

    def encoded(self) -> bytes:
        if self.raw is not None:
            return self.raw
        content = json.dumps(self.body).encode()
        headers = {"content-type": "application/json", "content-length": str(len(content)), **self.headers}
        lines = [f"HTTP/1.1 {self.status} Scripted", *(f"{name}: {value}" for name, value in headers.items())]
        return "\r\n".join(lines).encode() + b"\r\n\r\n" + content


@dataclass
class Asked:
    """A request as it came in."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any
    """From JSON; the bytes themselves where it is none."""
    at: float
    hung_up: asyncio.Event


class StubServer:
    """Answers each request with what `script` makes of it and of its number, from 0."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.script: Callable[[Asked, int], Reply | None] = lambda asked, number: chat_reply("x")
        self.url = ""
        self._connections: set[asyncio.Task[None]] = set()

    async def run(self) -> AsyncIterator["StubServer"]:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        yield self
        server.close()
        for task in self._connections:
            task.cancel()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._connections.add(asyncio.current_task())  # type: ignore[arg-type]
        try:
            while (asked := await _read(reader)) is not None:
                self.asked.append(asked)
                reply = self.script(asked, len(self.asked) - 1)
                if reply is None:
                    await reader.read()
                    asked.hung_up.set()
                    return
                writer.write(reply.encoded())
                await writer.drain()
                if reply.raw is not None:
                    return
        except (ConnectionError, asyncio.CancelledError):
            pass
        finally:
            writer.close()


async def _read(reader: asyncio.StreamReader) -> Asked | None:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
    except asyncio.IncompleteReadError:
        return None
    first, *lines = head.strip().split("\r\n")
    headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    method, path, _ = first.split()
    is_json = headers.get("content-type", "application/json") == "application/json"
    return Asked(
        method, path, headers, json.loads(body or b"null") if is_json else body, time.monotonic(), asyncio.Event()
    )


@contextmanager
def in_a_thread(script: Callable[[Asked, int], Reply | None]) -> Iterator[StubServer]:
    """A server with a loop of its own, for commands that a test waits for."""
    server, ready, over = StubServer(), threading.Event(), threading.Event()
    server.script = script

    async def serve() -> None:
        async for _ in server.run():
            ready.set()
            while not over.is_set():
                await asyncio.sleep(0.02)

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    ready.wait(30)
    try:
        yield server
    finally:
        over.set()
        thread.join(30)


def chat_reply(content: str | None, finish: str = "stop", **message: Any) -> Reply:
    """One chat answer."""
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": content, **message}}
    return Reply({"choices": [choice], "usage": {"prompt_tokens": 7, "completion_tokens": 3}})


def choices_reply(*contents: str | None, prompt_tokens: int = 7, completion_tokens: int = 30) -> Reply:
    """Several chat answers at once."""
    choices = [
        {"index": index, "finish_reason": "stop", "message": {"role": "assistant", "content": content}}
        for index, content in enumerate(contents)
    ]
    usage = {"prompt_tokens": prompt_tokens, "completion_tokens": completion_tokens}
    return Reply({"choices": choices, "usage": usage})


def error_reply(status: int, message: str, headers: dict[str, str] | None = None, **error: Any) -> Reply:
    """An error in OpenAI's form."""
    return Reply({"error": {"message": message, **error}}, status, headers or {})


ODD_COUNTS = {
    "negative": (-7, -3),
    "text": ("7", "3"),
    "fraction": (7.5, 3.5),
    "not-a-number": (float("nan"), float("inf")),
    "truth": (True, True),
    "beyond-all-models": (10**30, 10**400),
}
"""Of the prompt's and the answer's tokens, as no server can have counted them."""

BROKEN = {
    "reset": Reply(raw=b""),
    "half-closed": Reply(raw=b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{"),
    "malformed": Reply(raw=b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{oh dear}"),
    "html": Reply(raw=b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 4\r\n\r\n<oh>"),
    "nothing": Reply({}),
    "wrong-type": Reply({"choices": "none", "content": "none", "candidates": "none", "output": "none"}),
    "nested": Reply(
        raw=b'HTTP/1.1 200 OK\r\ncontent-length: 200010\r\n\r\n{"more": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    ),
}
"""What is no answer of any API, by its kind."""
