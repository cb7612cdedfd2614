"""All answers in flight at once, bounded."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import aclosing
from typing import Any

import pytest

from evalplus_run.models.flight import AHEAD, PATIENCE, AnswerFailed, fly, fly_together
from evalplus_run.records import Completion, RunFailed, UserError

Answer = Callable[[], Coroutine[Any, Any, Completion]]


def job(index: int, error: Exception | None = None) -> Answer:
    async def answer() -> Completion:
        await asyncio.sleep(0)
        if error:
            raise error
        return Completion("A/0", index, "")

    return answer


async def landed(*jobs: Answer, concurrency: int = 4) -> list[int]:
    return [each.index async for each in fly(jobs, concurrency)]


async def test_every_job_lands_once() -> None:
    assert sorted(await landed(*map(job, range(50)))) == list(range(50))


async def test_no_more_jobs_run_than_the_concurrency() -> None:
    running, most = 0, 0

    async def answer() -> Completion:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.001)
        running -= 1
        return Completion("A/0", 0, "")

    await landed(*[answer] * 20, concurrency=5)
    assert most == 5


async def test_jobs_go_on_while_the_consumer_is_busy_but_not_far_ahead_of_it() -> None:
    done = 0

    async def answer() -> Completion:
        nonlocal done
        done += 1
        return Completion("A/0", 0, "")

    async with aclosing(fly([answer] * 30, 2)) as flight:
        await anext(flight)
        while done < 2 * AHEAD:
            await asyncio.sleep(0)
        for _ in range(20):
            await asyncio.sleep(0)
        assert done == 2 * AHEAD


async def test_closing_cancels_what_flies() -> None:
    cancelled = asyncio.Event()

    async def forever() -> Completion:
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()
        raise AssertionError

    async with aclosing(fly([job(0), forever], 2)) as flight:
        await anext(flight)
    assert cancelled.is_set()


async def test_a_cancelled_consumer_cancels_what_flies() -> None:
    started, cancelled = asyncio.Event(), asyncio.Event()

    async def forever() -> Completion:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()
        raise AssertionError

    consumer = asyncio.create_task(landed(forever))
    await started.wait()
    consumer.cancel()
    with pytest.raises(asyncio.CancelledError):
        await consumer
    await asyncio.wait_for(cancelled.wait(), 30)


async def test_a_failed_answer_is_told_once_the_others_are_through() -> None:
    seen = []
    with pytest.raises(RunFailed, match=r"2 answers could not be had \(a\)"):
        async for each in fly([job(0, AnswerFailed("a")), *map(job, range(20)), job(0, AnswerFailed("b"))], 1):
            seen.append(each.index)  # noqa: PERF401
    assert seen == list(range(20))


async def test_failures_in_a_row_end_the_flight() -> None:
    asked = 0

    async def fails() -> Completion:
        nonlocal asked
        asked += 1
        await asyncio.sleep(0)
        raise AnswerFailed("gone")

    with pytest.raises(RunFailed):
        await landed(*[fails] * 1000, concurrency=1)
    assert asked <= 2 * PATIENCE


async def test_what_landed_behind_the_last_of_many_failures_is_not_lost() -> None:
    failures = [job(0, AnswerFailed("gone"))] * PATIENCE
    seen = []
    with pytest.raises(RunFailed):
        async for each in fly([*failures, job(7)], PATIENCE + 1):
            seen.append(each.index)  # noqa: PERF401
    assert seen == [7]


async def test_what_the_user_can_mend_ends_the_flight_at_once() -> None:
    with pytest.raises(UserError, match="key"):
        await landed(job(0, UserError("key")), *[job(1, AnswerFailed("x"))] * 5, concurrency=1)


async def test_nothing_starts_after_what_the_user_can_mend_though_the_consumer_is_busy() -> None:
    started = 0

    async def counted() -> Completion:
        nonlocal started
        started += 1
        return Completion("A/0", started, "")

    with pytest.raises(UserError, match="key"):
        async with aclosing(fly([job(0), job(1, UserError("key")), *[counted] * 50], 1)) as flight:
            await anext(flight)
            for _ in range(100):
                await asyncio.sleep(0)
            async for _ in flight:
                pass
    assert started == 0


async def test_what_a_job_gave_before_it_failed_lands() -> None:
    async def answers():
        yield Completion("A/0", 0, "")
        yield Completion("A/0", 1, "")
        raise AnswerFailed("gone")

    seen = []
    with pytest.raises(RunFailed, match="1 answer could not be had"):
        async for each in fly_together([answers], 2):
            seen.append(each.index)  # noqa: PERF401
    assert seen == [0, 1]


async def test_jobs_of_several_answers_are_not_far_ahead_of_a_busy_consumer_either() -> None:
    given = 0

    async def answers():
        nonlocal given
        for index in range(3):
            given += 1
            yield Completion("A/0", index, "")

    async with aclosing(fly_together([answers] * 100, 2)) as flight:
        await anext(flight)
        for _ in range(1000):
            await asyncio.sleep(0)
        assert given <= AHEAD * 2 + 1 + 2
        assert len([each async for each in flight]) == 299


async def test_failures_make_no_more_room_than_they_took() -> None:
    given = 0

    async def fails():
        nonlocal given
        given += 1
        yield Completion("A/0", 0, "")
        raise AnswerFailed("gone")

    with pytest.raises(RunFailed):
        async with aclosing(fly_together([fails] * 60, 2)) as flight:
            for taken in range(1, 40):
                await anext(flight)
                for _ in range(50):
                    await asyncio.sleep(0)
                assert given - taken <= AHEAD * 2 + 2
            async for _ in flight:
                pass
