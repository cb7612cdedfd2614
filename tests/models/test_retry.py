"""Bounded tries."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from evalplus_run.models.retry import LONGEST_ASKED, Patience, Transient, persist, retry_after

QUICK = Patience(attempts=5, attempts_unreached=2, first_wait=0.001, longest_wait=0.001)


class Flaky:
    def __init__(self, failures: int, error: Exception) -> None:
        self.failures, self.error, self.calls = failures, error, 0

    async def __call__(self) -> str:
        self.calls += 1
        if self.calls <= self.failures:
            raise self.error
        return "done"


async def test_a_call_that_goes_better_later_succeeds() -> None:
    flaky = Flaky(4, Transient("busy"))
    assert await persist(flaky, QUICK, lambda: True) == "done"
    assert flaky.calls == 5


async def test_the_last_error_is_raised_after_the_last_try() -> None:
    flaky = Flaky(99, Transient("busy"))
    with pytest.raises(Transient, match="busy"):
        await persist(flaky, QUICK, lambda: True)
    assert flaky.calls == 5


async def test_a_server_never_reached_is_given_fewer_tries() -> None:
    flaky = Flaky(99, Transient("refused"))
    with pytest.raises(Transient):
        await persist(flaky, QUICK, lambda: False)
    assert flaky.calls == 2


async def test_another_error_is_not_tried_again() -> None:
    flaky = Flaky(1, ValueError("wrong"))
    with pytest.raises(ValueError, match="wrong"):
        await persist(flaky, QUICK, lambda: True)
    assert flaky.calls == 1


async def test_tries_at_a_server_that_turns_one_away_but_answers_others_are_not_counted() -> None:
    others = iter(range(1000))
    flaky = Flaky(20, Transient("slow down", status=429))
    assert await persist(flaky, QUICK, lambda: True, lambda: next(others)) == "done"
    assert flaky.calls == 21


async def test_tries_at_a_server_that_turns_everybody_away_are_counted() -> None:
    flaky = Flaky(99, Transient("slow down", status=429))
    with pytest.raises(Transient, match="slow down"):
        await persist(flaky, QUICK, lambda: True, lambda: 7)
    assert flaky.calls == 5


async def test_an_error_of_the_server_is_counted_though_others_are_answered() -> None:
    others = iter(range(1000))
    flaky = Flaky(99, Transient("boom", status=500))
    with pytest.raises(Transient, match="boom"):
        await persist(flaky, QUICK, lambda: True, lambda: next(others))
    assert flaky.calls == 5


def test_a_servers_wish_is_obeyed_within_bounds() -> None:
    assert Transient("busy", 30).wait == 30
    assert Transient("busy", 1e9).wait == LONGEST_ASKED


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, 0.0),
        ({"retry-after": "2"}, 2.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "-4"}, 0.0),
        ({"retry-after": "soon"}, 0.0),
        ({"retry-after": "nan"}, 0.0),
        ({"retry-after-ms": "soon", "retry-after": "9"}, 9.0),
        ({"retry-after": "Mon, 01 Jan 99999999999999999999 00:00:00 GMT"}, 0.0),
        ({"retry-after": "Mon, 01 Jan 2029 00:00:00 +99999999999999999999"}, 0.0),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
    ],
)
def test_a_servers_wish_is_read(headers: dict[str, str], seconds: float) -> None:
    assert retry_after(headers) == seconds


def test_a_date_is_read_as_the_time_until_then() -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)
    assert 3500 < retry_after({"retry-after": later}) <= 3600
