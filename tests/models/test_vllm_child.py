"""vLLM's processes: what goes to them and comes back, and that none stays; the library itself is stood in for."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from vllm_stand_in import BREAKS, DIES, ENDLESS, write_stand_in

from evalplus_run.models.vllm_child import VllmChild
from evalplus_run.records import RunFailed, UserError

GREEDY = {"temperature": 0.0}


@pytest.fixture(autouse=True)
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(write_stand_in(tmp_path / "library")))


@asynccontextmanager
async def running(model: str = "tiny", adapter: str = "") -> AsyncIterator[VllmChild]:
    child = await VllmChild.launch({"model": model}, adapter)
    try:
        yield child
    finally:
        await child.close()


def prompt(first: int, samples: int = 1) -> Mapping[str, Any]:
    seeds = [(index, 100 * first + index) for index in range(samples)]
    return {"ids": [first, 7], "max_tokens": 5, "stop": ["\n"], "ends": [9], "samples": seeds}


def core_of(child: VllmChild) -> int:
    """The process that the engine started."""
    return int(child.loaded["generation_settings_left_out"]["core"])


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state[0] != "Z"


def is_there(folder: str) -> bool:
    return Path(folder).exists()


def environment_of(pid: int) -> str:
    return Path(f"/proc/{pid}/environ").read_text()


async def gone(*pids: int) -> bool:
    """Waits until they are."""
    while any(map(is_alive, pids)):
        await asyncio.sleep(0.01)
    return True


async def test_every_sample_of_every_prompt_comes_with_its_own_seed_the_quick_ones_first() -> None:
    async with running() as child:
        rows = [row async for row in child.answers([prompt(300), prompt(4, samples=3)], GREEDY)]
    assert sorted((row["place"], row["index"]) for row in rows) == [(0, 0), (1, 0), (1, 1), (1, 2)]
    assert (rows[-1]["place"], rows[-1]["tokens"], rows[-1]["finish_reason"]) == (0, 2, "stop")
    assert all(f"'seed': {(300, 4)[row['place']] * 100 + row['index']}" in row["text"] for row in rows)
    assert all("'stop': ['\\n'], 'stop_token_ids': [9]" in row["text"] for row in rows)


async def test_an_adapter_goes_with_every_request() -> None:
    async with running(adapter="/tuned") as child:
        (row,) = [row async for row in child.answers([prompt(4)], GREEDY)]
    assert "'adapter': ('adapter', 1, '/tuned')" in row["text"]


@pytest.mark.parametrize(("given", "share"), [("", 0.5), ("3", None)])
async def test_on_cores_half_of_the_memory_is_left_unless_the_user_says_how_much(
    given: str, share: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VLLM_CPU_KVCACHE_SPACE", given)
    async with running() as child:
        arguments = child.loaded["generation_settings_left_out"]["arguments"]
    assert arguments.get("gpu_memory_utilization") == share


@pytest.mark.parametrize(
    ("model", "words"),
    [
        ("bad", "ValueError: 1 validation error no such model"),
        ("vague", "ValueError: too little memory"),
        ("gone", "vLLM ended. It ended with status 1. .*SystemExit: libcuda.so is missing"),
    ],
)
async def test_what_cannot_be_loaded_is_told_in_the_librarys_words_on_one_line(model: str, words: str) -> None:
    with pytest.raises(UserError, match=f"^vLLM cannot load the model: {words}$"):
        async with running(model):
            pass


async def test_a_stream_left_early_is_ended_and_the_next_gets_its_own_answers_alone() -> None:
    async with running() as child:
        async with aclosing(child.answers([prompt(4), prompt(60), prompt(ENDLESS)], GREEDY)) as rows:
            assert (await anext(rows))["place"] == 0
        later = [row async for row in child.answers([prompt(200), prompt(5)], GREEDY)]
    assert [(row["place"], row["call"]) for row in later] == [(1, 2), (0, 2)]


async def test_a_refused_prompt_ends_the_call_with_the_engines_words_and_not_the_engine() -> None:
    came = []
    async with running() as child:
        with pytest.raises(RunFailed, match="vLLM broke off its answers: ValueError: refused"):
            async for row in child.answers([prompt(ENDLESS), prompt(4), prompt(BREAKS)], GREEDY):
                came.append(row)  # noqa: PERF401 - those before the error
        assert len([row async for row in child.answers([prompt(4)], GREEDY)]) == 1


async def test_an_engine_that_dies_is_told_after_what_it_answered_and_leaves_no_process() -> None:
    came = []
    async with running() as child:
        with pytest.raises(RunFailed, match=r"vLLM ended\. It ended with status 3\."):
            async for row in child.answers([prompt(4), {**prompt(DIES), "max_tokens": 300}], GREEDY):
                came.append(row)  # noqa: PERF401 - those before the error
        assert await gone(core_of(child))
    assert len(came) == 1


async def test_a_killed_child_takes_its_processes_along_and_memory_is_named() -> None:
    async with running() as child:
        os.kill(child._process.pid, 9)
        with pytest.raises(RunFailed, match=r"It was killed, most likely for want of memory \(model\.max_model_len"):
            [row async for row in child.answers([prompt(4)], GREEDY)]
        assert await gone(core_of(child))


async def test_closing_ends_all_processes_and_removes_what_they_left() -> None:
    async with running() as child:
        assert is_alive(core_of(child))
        assert is_there(child._folder)
        await child.close()
        assert await gone(core_of(child), child._process.pid)
    assert not is_there(child._folder)


async def test_no_key_reaches_any_process_and_usage_is_told_to_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-hidden")
    async with running() as child:
        for pid in (child._process.pid, core_of(child)):
            environment = environment_of(pid)
            assert "sk-hidden" not in environment
            assert "VLLM_NO_USAGE_STATS=1" in environment


PARENT = """
import asyncio
from evalplus_run.models.vllm_child import VllmChild
async def main():
    child = await VllmChild.launch({"model": "tiny"}, "")
    left = child.loaded["generation_settings_left_out"]
    print(child._process.pid, left["core"], child._folder, flush=True)
    await asyncio.sleep(600)
asyncio.run(main())
"""


async def test_all_processes_end_when_the_parent_is_killed_and_leave_nothing() -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([os.environ["PYTHONPATH"], *sys.path])}
    parent = await asyncio.create_subprocess_exec(
        sys.executable, "-c", PARENT, stdout=asyncio.subprocess.PIPE, env=environment
    )
    assert parent.stdout is not None
    child, core, folder = (await parent.stdout.readline()).decode().split()
    assert is_alive(int(core))
    parent.kill()
    await parent.wait()
    assert await gone(int(child), int(core))
    assert not is_there(folder)
