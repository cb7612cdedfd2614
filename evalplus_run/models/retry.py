"""Bounded tries with jittered, growing waits that obey the server's Retry-After."""

from __future__ import annotations

import email.utils
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from tenacity import RetryCallState

logger = logging.getLogger(__name__)
T = TypeVar("T")

LONGEST_ASKED = 900.0
"""Seconds: the longest that a server's Retry-After is obeyed."""
_TURNED_AWAY = (429, 503, 529)
"""Too many requests, and two kinds of too busy: nothing is wrong with the request."""


def in_words(error: BaseException) -> str:
    """What an error says of itself; its kind where it says nothing."""
    return str(error) or type(error).__name__


@dataclass(frozen=True, slots=True)
class Patience:
    """How often and how long to wait for one answer; waits in seconds."""

    attempts: int = 8
    attempts_unreached: int = 4
    """Tries while nothing has answered yet at all: more likely a wrong address than a short outage."""
    first_wait: float = 1.0
    """The bound of the first random wait; doubles with each try."""
    longest_wait: float = 60.0


class Transient(Exception):
    """What may go better at the next try; `wait` seconds are what the server asked for, 0 where it did not.

    `status` is HTTP's, where there was one.
    """

    def __init__(self, words: str, wait: float = 0.0, status: int | None = None) -> None:
        super().__init__(words)
        self.wait = min(wait, LONGEST_ASKED)
        self.status = status

    @property
    def is_crowded(self) -> bool:
        """Whether fewer requests at once may help."""
        return self.status is not None and (self.status == 429 or self.status >= 500)


async def persist(
    call: Callable[[], Awaitable[T]],
    patience: Patience,
    reached: Callable[[], bool],
    answers: Callable[[], int] = lambda: 0,
) -> T:
    """What `call` gives, tried again while it raises Transient; then the last Transient.

    `reached` tells whether the server has ever answered, `answers` how many it has given to all who ask: a server
    that turns this one away for its rate limit, but goes on answering others, is not gone, and the try not counted.
    """
    from tenacity import AsyncRetrying, retry_if_exception_type, wait_random_exponential

    growing = wait_random_exponential(multiplier=patience.first_wait, max=patience.longest_wait)

    def wait(state: RetryCallState) -> float:
        return _last(state).wait + growing(state)

    seen, counted = answers(), 0

    def enough(state: RetryCallState) -> bool:
        nonlocal seen, counted
        before, seen = seen, answers()
        counted += not (_last(state).status in _TURNED_AWAY and seen > before)
        return counted >= (patience.attempts if reached() else patience.attempts_unreached)

    def tell(state: RetryCallState) -> None:
        # That a crowd is turned away is its everyday life as long as some get through.
        if counted > 1 or _last(state).status not in _TURNED_AWAY:
            logger.warning("try %d failed: %s; waiting %.1f s", counted, _last(state), state.upcoming_sleep)

    again = retry_if_exception_type(Transient)
    async for attempt in AsyncRetrying(stop=enough, wait=wait, retry=again, before_sleep=tell, reraise=True):
        with attempt:
            return await call()
    raise AssertionError("tenacity raises after the last try")


def _last(state: RetryCallState) -> Transient:
    error = state.outcome.exception() if state.outcome else None
    return error if isinstance(error, Transient) else Transient(str(error))


def retry_after(headers: Mapping[str, str]) -> float:
    """The seconds that a response's headers ask to wait (`retry-after-ms`, or seconds, or a date); 0 without."""
    for name, parts in (("retry-after-ms", 1000), ("retry-after", 1)):
        with suppress(ValueError):
            return max(0.0, float(headers.get(name, "")) / parts)
    return _until(headers.get("retry-after", ""))


def _until(date: str) -> float:
    try:
        return max(0.0, email.utils.parsedate_to_datetime(date).timestamp() - time.time())
    except (ValueError, OverflowError):
        return 0.0
