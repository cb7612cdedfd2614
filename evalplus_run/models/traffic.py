"""When the next request may go out: no more open than the server stands, no faster than the user's limits."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Self, TypeVar

from evalplus_run.models.retry import Transient
from evalplus_run.models.settings import ApiSettings

logger = logging.getLogger(__name__)
T = TypeVar("T")

_LOOK_EVERY = 0.2
"""Seconds. Who waits looks so often whether the wait has become shorter or longer."""

_WORTH_TELLING = 1.0
"""Seconds of waiting."""


class Pace:
    """So much a minute, spread evenly: servers count in shorter spans than minutes, so nothing is saved up.

    A library's bucket would not do: aiolimiter lets a whole minute's worth go at once, small requests overtake
    large ones for ever, and what a request turns out not to have used cannot be given back.
    """

    def __init__(self, per_minute: float) -> None:
        """0 sets no limit."""
        self._seconds_each = 60 / per_minute if per_minute else 0.0
        self.free_at = 0.0
        """On the clock of `time.monotonic`."""

    def take(self, amount: float) -> None:
        """Once `free_at` is past. A negative amount gives back what was not used."""
        begin = max(self.free_at, time.monotonic()) if amount > 0 else self.free_at
        self.free_at = begin + amount * self._seconds_each


class Traffic:
    """The requests of one run to one server; used inside one event loop."""

    @classmethod
    def of(cls, settings: ApiSettings) -> Self:
        """As the user set it."""
        return cls(
            settings.concurrency,
            requests_per_minute=settings.requests_per_minute,
            tokens_per_minute=settings.tokens_per_minute,
        )

    def __init__(self, concurrency: int, *, requests_per_minute: float = 0, tokens_per_minute: float = 0) -> None:
        """At most `concurrency` requests are open; 0 a minute sets no limit."""
        self.answers = 0
        """Good ones so far: a server that is crowded makes progress all the same."""
        self._most = concurrency
        self._window = float(concurrency)
        self._open = 0
        self._halvings = 0
        self._room = asyncio.Condition()
        self._door = asyncio.Lock()
        self._closed_until = 0.0
        self._requests = Pace(requests_per_minute)
        self._tokens = Pace(tokens_per_minute)

    @property
    def window(self) -> int:
        """Requests that may be open now."""
        return int(self._window)

    async def through(self, call: Callable[[], Awaitable[T]], tokens: int = 0) -> T:
        """What `call` gives, asked when it may be; `tokens` are those that it is expected to use at most.

        One more request may be open after each round of good answers; half as many after a 429 or 5xx. A
        Retry-After holds up everybody.
        """
        async with self._place():
            await self._turn(tokens)
            halvings = self._halvings
            try:
                given = await call()
            except Transient as error:
                self._slow_down(error, halvings)
                raise
            self.answers += 1
            self._window = min(self._most, self._window + 1 / self._window)
            return given

    def give_back(self, tokens: int) -> None:
        """So many tokens fewer were used than expected; a negative number: more."""
        self._tokens.take(-tokens)

    @asynccontextmanager
    async def _place(self) -> AsyncGenerator[None, None]:
        async with self._room:
            await self._room.wait_for(lambda: self._open < self.window)
            self._open += 1
        try:
            yield
        finally:
            self._open -= 1
            async with self._room:
                # The window may have grown as well.
                self._room.notify(2)

    async def _turn(self, tokens: int) -> None:
        """One after the other, in the order of their coming."""
        async with self._door:
            while (wait := self._free_at() - time.monotonic()) > 0:  # noqa: ASYNC110 - the end of the wait moves
                await asyncio.sleep(min(wait, _LOOK_EVERY))
            self._requests.take(1)
            self._tokens.take(tokens)

    def _free_at(self) -> float:
        return max(self._closed_until, self._requests.free_at, self._tokens.free_at)

    def _slow_down(self, error: Transient, halvings: int) -> None:
        now = time.monotonic()
        if error.wait >= _WORTH_TELLING and self._closed_until < now:
            logger.warning("%s; nothing is asked for %.1f s", error, error.wait)
        self._closed_until = max(self._closed_until, now + error.wait)
        # Those that went out together fail together: they halve once.
        if error.is_crowded and halvings == self._halvings:
            self._halvings += 1
            self._window = max(1.0, self._window / 2)
