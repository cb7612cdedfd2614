"""Work in a thread as a stream."""

import threading
from contextlib import aclosing

import pytest

from evalplus_run.models.thread_stream import stream_from_thread


async def test_what_the_work_yields_comes_in_order_and_from_another_thread():
    def work(stop):
        for number in range(100):
            yield number, threading.get_ident()

    found = [item async for item in stream_from_thread(work)]
    assert [number for number, _ in found] == list(range(100))
    assert {thread for _, thread in found} != {threading.get_ident()}


async def test_an_error_comes_behind_all_that_was_yielded_before_it():
    def work(stop):
        yield 1
        yield 2
        raise ValueError("broken")

    found = []
    with pytest.raises(ValueError, match="broken"):
        async for item in stream_from_thread(work):
            found.append(item)  # noqa: PERF401 - those before the error
    assert found == [1, 2]


async def test_closing_the_stream_returns_once_the_work_has_ended():
    ended = []

    def work(stop):
        yield 1
        stop.wait()
        ended.append(True)

    async with aclosing(stream_from_thread(work)) as stream:
        await anext(stream)
        assert not ended
    assert ended
