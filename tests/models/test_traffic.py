"""When the next request may go out."""

import asyncio
import time

import pytest

from evalplus_run.models.retry import Transient
from evalplus_run.models.traffic import Traffic

BUSY = Transient("slow down", status=429)
DOWN = Transient("down", status=503)
LOST = Transient("connection lost")


class Server:
    """Holds what comes in until it is let go, and notes when it came."""

    def __init__(self, traffic: Traffic) -> None:
        self.traffic = traffic
        self.came: list[float] = []
        self.open = self.most = 0
        self.gate = asyncio.Event()
        self.gate.set()

    async def ask(self, error: Exception | None = None, tokens: int = 0) -> None:
        async def call() -> None:
            self.came.append(time.monotonic())
            self.open += 1
            self.most = max(self.most, self.open)
            await self.gate.wait()
            await asyncio.sleep(0)
            self.open -= 1
            if error:
                raise error

        await self.traffic.through(call, tokens)

    async def ask_at_once(self, count: int, error: Exception | None = None) -> None:
        await asyncio.gather(*(self.ask(error) for _ in range(count)), return_exceptions=True)


async def test_as_many_are_open_as_the_setting_says_from_the_start() -> None:
    server = Server(Traffic(7))
    await server.ask_at_once(50)
    assert (server.most, len(server.came), server.traffic.window) == (7, 50, 7)


@pytest.mark.parametrize("error", [BUSY, DOWN])
async def test_those_that_went_out_together_and_fail_together_halve_the_window_once(error: Transient) -> None:
    server = Server(Traffic(16))
    server.gate.clear()
    asking = asyncio.ensure_future(server.ask_at_once(16, error))
    while server.open < 16:
        await asyncio.sleep(0)
    server.gate.set()
    await asking
    assert server.traffic.window == 8


@pytest.mark.parametrize(("failures", "window"), [(1, 8), (2, 4), (9, 1)])
async def test_no_more_are_open_than_the_halved_window_and_one_always(failures: int, window: int) -> None:
    server = Server(Traffic(16))
    for _ in range(failures):
        await server.ask_at_once(1, BUSY)
    server.gate.clear()
    asking = asyncio.ensure_future(server.ask_at_once(20))
    for _ in range(200):
        await asyncio.sleep(0)
    assert server.open == window
    server.gate.set()
    await asking
    assert len(server.came) == failures + 20


async def test_the_window_grows_again_by_one_a_round_up_to_the_setting() -> None:
    server = Server(Traffic(8))
    await server.ask_at_once(1, BUSY)
    await server.ask_at_once(5)
    assert server.traffic.window == 5
    await server.ask_at_once(100)
    assert (server.traffic.window, server.most) == (8, 8)


async def test_a_lost_connection_is_no_sign_of_a_crowd() -> None:
    server = Server(Traffic(8))
    await server.ask_at_once(3, LOST)
    assert server.traffic.window == 8


async def test_a_failed_or_cancelled_request_leaves_its_place() -> None:
    server = Server(Traffic(1))
    await server.ask_at_once(3, ValueError())
    server.gate.clear()
    hanging = asyncio.ensure_future(server.ask())
    while not server.open:
        await asyncio.sleep(0)
    hanging.cancel()
    await asyncio.gather(hanging, return_exceptions=True)
    server.gate.set()
    await asyncio.wait_for(server.ask(), 30)


async def test_requests_keep_the_minutes_pace_evenly() -> None:
    server = Server(Traffic(8, requests_per_minute=1200))
    await server.ask_at_once(5)
    assert server.came[-1] - server.came[0] >= 0.2 - 1e-3


async def test_tokens_keep_the_minutes_pace_and_those_not_used_are_given_back() -> None:
    traffic = Traffic(8, tokens_per_minute=6000)
    server = Server(traffic)
    await server.ask(tokens=1_000_000)  # would be waited for for hours
    traffic.give_back(1_000_000 - 20)
    await server.ask(tokens=10)
    await server.ask(tokens=10)
    assert server.came[2] - server.came[0] >= 0.3 - 1e-3


async def test_a_wish_to_wait_holds_up_everybody() -> None:
    server = Server(Traffic(8))
    await server.ask_at_once(1, Transient("busy", 0.3, status=429))
    await server.ask_at_once(4)
    assert min(server.came[1:]) - server.came[0] >= 0.3


async def test_only_good_answers_are_counted() -> None:
    server = Server(Traffic(2))
    await server.ask_at_once(3)
    await server.ask_at_once(2, BUSY)
    assert server.traffic.answers == 3
