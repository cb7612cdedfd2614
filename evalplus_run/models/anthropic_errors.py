"""What Anthropic's API refuses, in our words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from evalplus_run.models.asking import Refused
from evalplus_run.models.retry import Transient, in_words, retry_after

if TYPE_CHECKING:
    from anthropic import APIStatusError


@contextmanager
def in_our_words() -> Iterator[None]:
    """The library's errors inside are raised as `asking.Send` says."""
    import anthropic

    try:
        yield
    except anthropic.APITimeoutError:
        raise TimeoutError from None
    except anthropic.APIConnectionError as error:
        raise Transient(in_words(error.__cause__ or error)) from None
    except anthropic.APIStatusError as error:
        raise refusal(error.status_code, _words(error), retry_after(error.response.headers)) from None


def refusal(status: int, words: str, wait: float = 0.0) -> Refused:
    """That of an error with this status and message."""
    return Refused(status, words, wait=wait, is_filtered=status == 400 and "content filtering" in words)


def _words(error: APIStatusError) -> str:
    """The API's own message, where its answer has the form of one."""
    found = error.body.get("error") if isinstance(error.body, dict) else None
    return str((isinstance(found, dict) and found.get("message")) or error.message)
