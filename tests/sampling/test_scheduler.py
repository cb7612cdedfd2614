"""Which samples are still missing."""

import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalplus_run.models.replay import Replay
from evalplus_run.models.settings import Price, ReplaySettings
from evalplus_run.records import Completion, Prompt, Request, RunFailed, Sampling, UserError
from evalplus_run.sampling.costs import Purse
from evalplus_run.sampling.scheduler import missing, sample

PROMPTS = [Prompt("A/0"), Prompt("A/1"), Prompt("A/2")]


@given(st.integers(1, 5), st.sets(st.tuples(st.sampled_from(["A/0", "A/1", "A/2", "B/9"]), st.integers(0, 7))))
def test_what_is_done_and_what_is_asked_for_make_up_all_samples_without_overlap(
    n: int, done: set[tuple[str, int]]
) -> None:
    requests = missing(PROMPTS, n, done)
    asked = [(request.prompt.task_id, index) for request in requests for index in request.indices]
    everything = {(prompt.task_id, index) for prompt in PROMPTS for index in range(n)}
    assert len(asked) == len(set(asked))
    assert set(asked) == everything - done
    assert all(request.indices for request in requests)


@pytest.fixture
async def model(tmp_path: Path) -> Replay:
    path = tmp_path / "answers.jsonl"
    rows = [{"task_id": f"A/{task}", "text": f"{task}.{index}"} for task in range(3) for index in range(2)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    model = Replay(ReplaySettings(path=str(path)))
    await model.start()
    return model


async def test_only_what_is_missing_is_drawn(model: Replay) -> None:
    done = {("A/0", 0), ("A/1", 0), ("A/1", 1)}
    found = [each.text async for each in sample(model, PROMPTS, Sampling(n=2), done)]
    assert sorted(found) == ["0.1", "2.0", "2.1"]


async def test_a_model_is_not_asked_when_nothing_is_missing(model: Replay) -> None:
    done = {(f"A/{task}", index) for task in range(3) for index in range(9)}
    assert [each async for each in sample(model, PROMPTS, Sampling(n=9), done)] == []


async def test_the_models_error_reaches_the_caller(model: Replay) -> None:
    with pytest.raises(UserError, match="3 of 9 missing"):
        await anext(sample(model, PROMPTS, Sampling(n=3)))


async def test_what_is_being_made_already_comes_before_all_else_and_nothing_comes_twice(model: Replay) -> None:
    first = {("A/1", 1), ("A/2", 0), ("B/9", 0)}
    found = [each.text async for each in sample(model, PROMPTS, Sampling(n=2), {("A/0", 0)}, None, first)]
    assert found == ["1.1", "2.0", "0.1", "1.0", "2.1"]


class Endless(Replay):
    """Tells when its stream is closed."""

    closed = False

    async def complete(self, requests: Sequence[Request], sampling: Sampling) -> AsyncGenerator[Completion, None]:
        try:
            while True:
                yield Completion("A/0", 0, "")
        finally:
            self.closed = True


async def test_closing_the_stream_closes_the_models() -> None:
    model = Endless(ReplaySettings())
    async with aclosing(sample(model, PROMPTS, Sampling())) as completions:
        await anext(completions)
        assert not model.closed
    assert model.closed


class Short(Replay):
    """Gives answers of ten tokens, and notes how many it was asked for at once."""

    def __init__(self) -> None:
        super().__init__(ReplaySettings())
        self.waves: list[int] = []

    async def complete(self, requests: Sequence[Request], sampling: Sampling) -> AsyncGenerator[Completion, None]:
        self.waves.append(sum(len(request.indices) for request in requests))
        for request in requests:
            for index in request.indices:
                yield Completion(request.prompt.task_id, index, "", prompt_tokens=0, completion_tokens=10)


A_TOKEN_EACH = Price(input=0, output=1_000_000)


async def test_answers_shorter_than_feared_leave_money_for_the_others() -> None:
    model, purse = Short(), Purse(A_TOKEN_EACH, 1000)
    found = [each async for each in sample(model, PROMPTS, Sampling(n=7, max_tokens=100), purse=purse)]
    assert len({(each.task_id, each.index) for each in found}) == len(found) == 21
    assert model.waves == [10, 9, 2]
    assert purse.paid == sum(each.cost or 0 for each in found) == 210


async def test_a_budget_ends_the_drawing_before_it_is_overdrawn() -> None:
    model, purse, found = Short(), Purse(A_TOKEN_EACH, 155), []
    with pytest.raises(RunFailed, match=r"60\.0000 was paid for 6 answers, kept all, and 15 answers to go"):
        async for each in sample(model, PROMPTS, Sampling(n=7, max_tokens=100), purse=purse):
            found.append(each)  # noqa: PERF401
    assert len(found) == 6
    assert model.waves == [1] * 6


async def test_nothing_is_asked_where_the_budget_holds_for_no_answer() -> None:
    model = Short()
    with pytest.raises(RunFailed, match=r"model\.budget=99 .*0\.0000 was paid for 0 answers"):
        await anext(sample(model, PROMPTS, Sampling(max_tokens=100), purse=Purse(A_TOKEN_EACH, 99)))
    assert model.waves == []
