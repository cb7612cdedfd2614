"""llama.cpp in a child process, on a model of 82 KB whose tokens are bytes."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from chat_templates import OPENING
from gguf_writer import STRING, gguf, tiny_model

from evalplus_run.models import llama_memory
from evalplus_run.models.base import Thinking
from evalplus_run.models.llama_child import LlamaChild, LlamaOptions
from evalplus_run.models.llama_cpp import LlamaCpp
from evalplus_run.models.settings import LlamaCppSettings
from evalplus_run.records import Completion, Message, Prompt, Request, RunFailed, Sampling, UserError

pytest.importorskip("xllamacpp", reason="the extra llama-cpp is not installed")

CHAT = Prompt("A/0", messages=(Message("user", "hi"),))


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_model(tmp_path_factory.mktemp("gguf") / "tiny.gguf")


@asynccontextmanager
async def running(path: Path, thinking: Thinking = "auto", **settings: Any) -> AsyncIterator[LlamaCpp]:
    model = LlamaCpp(LlamaCppSettings(**{"path": str(path), "concurrency": 4, "threads": 1, **settings}))
    try:
        await model.start(thinking)
        yield model
    finally:
        await model.close()


def texts(count: int) -> list[Request]:
    return [Request(Prompt(f"A/{number}", text="hi" * number + "x"), (0,)) for number in range(count)]


async def answers(model: LlamaCpp, requests: list[Request], sampling: Sampling) -> dict[tuple[str, int], Completion]:
    return {(each.task_id, each.index): each async for each in model.complete(requests, sampling)}


def child_of(model: LlamaCpp) -> int:
    assert model._child is not None
    return model._child._process.pid


async def test_thinking_gets_fewer_tokens_where_the_context_that_was_set_is_too_short(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tiny_model(tmp_path / "b.gguf", chat_template=OPENING, endless=True)
    async with running(path, context=512) as model:
        found = (await answers(model, [Request(CHAT, (0,))], Sampling(max_tokens=50)))["A/0", 0]
        ids = (await model.render(CHAT)).token_ids or ()
        told = f"{512 - 50 - len(ids)} tokens in place of 32768: the context has 512 for all of an answer"
        assert model.versions()["thinking_tokens"] == told
    assert f"thinking gets {told}" in caplog.messages
    assert (found.finish_reason, found.completion_tokens) == ("length", 512 - len(ids))


def test_a_run_cut_inside_the_thinking_is_told_as_truncated_with_what_was_thought(
    tmp_path: Path, evalplus_run: Any
) -> None:
    path = tiny_model(tmp_path / "b.gguf", chat_template=OPENING, context=1024, endless=True)
    done = evalplus_run("model=llama_cpp", f"model.path={path}", "dataset=example", "sampling.max_tokens=50")
    (folder,) = (each.parent for each in (tmp_path / "outputs").rglob("manifest.json"))
    manifest, answer, sample = (
        json.loads((folder / name).read_text()) for name in ("manifest.json", "completions.jsonl", "samples.jsonl")
    )
    assert (answer["text"], answer["finish_reason"], sample["outcome"]) == ("", "length", "truncated")
    assert answer["reasoning"]
    told = manifest["engine"]["thinking_tokens"]
    assert "in place of 32768: the context has 1024 for all of an answer" in told
    assert f"thinking gets {told}" in done.stderr
    assert manifest["first_prompt"]["text"].endswith("<|im_start|>assistant\n<think>\n")
    assert manifest["first_prompt"]["text"] in done.stderr
    assert "truncated" in done.stdout


async def test_fewer_answers_at_once_where_memory_does_not_hold_their_contexts(
    tiny: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    # 128 bytes a token: 2 heads with 16 + 16 numbers.
    monkeypatch.setattr(llama_memory, "total_memory", lambda: tiny.stat().st_size + 2 * 2 * 128 * 3072)
    async with running(tiny) as model:
        assert model.versions()["slots"] == "3"
        assert len(await answers(model, texts(9), Sampling(max_tokens=3000, temperature=1.0))) == 9
        assert model.versions()["slots"] == "2"
    assert any(told.startswith("answers at once: 2 in place of 4, each with 3072 tokens") for told in caplog.messages)


async def test_greedy_answers_repeat_whatever_the_slots_are_doing(tiny: Path) -> None:
    found = []
    for _ in range(2):
        async with running(tiny) as model:
            run = await answers(model, texts(24), Sampling(max_tokens=40))
            found.append({key: each.text for key, each in run.items()})
    assert len(found[0]) == 24
    assert found[0] == found[1]


async def test_drawn_answers_repeat_with_the_seed_on_one_slot_and_differ_by_index(tiny: Path) -> None:
    found = []
    for _ in range(2):
        async with running(tiny, concurrency=1) as model:
            requests = [Request(Prompt("A/0", text="hi"), (0, 1, 2))]
            run = await answers(model, requests, Sampling(temperature=1.0, max_tokens=30, seed=7))
            found.append([run["A/0", index].text for index in range(3)])
    assert found[0] == found[1]
    assert len(set(found[0])) == 3


async def test_drawn_answers_on_one_slot_do_not_depend_on_what_came_before(tiny: Path) -> None:
    sampling = Sampling(temperature=1.0, max_tokens=30)
    prompts = [Prompt(f"A/{number}", text="hi" * 40 + "x" * number) for number in range(4)]
    async with running(tiny, concurrency=1) as model:
        whole = await answers(model, [Request(prompt, (0, 1, 2)) for prompt in prompts], sampling)
        parts = await answers(model, [Request(prompt, (2, 0)) for prompt in reversed(prompts)], sampling)
    assert len(parts) == 8
    assert all(each.text == whole[key].text for key, each in parts.items())


async def test_counts_and_the_finish_reason_come_with_an_answer(tiny: Path) -> None:
    async with running(tiny) as model:
        found = await answers(model, texts(1), Sampling(max_tokens=1))
    answer = found["A/0", 0]
    assert (answer.finish_reason, answer.prompt_tokens, answer.completion_tokens) == ("length", 2, 1)


async def test_a_stop_string_ends_an_answer(tiny: Path) -> None:
    async with running(tiny) as model:
        whole = (await answers(model, texts(4)[3:], Sampling(max_tokens=40)))["A/3", 0].text
        sampling = Sampling(max_tokens=40, stop=(whole[0],))
        ended = (await answers(model, texts(4)[3:], sampling))["A/3", 0]
    assert whole
    assert (ended.text, ended.finish_reason) == ("", "stop")


async def test_the_context_grows_where_prompt_and_answer_need_it(tiny: Path) -> None:
    async with running(tiny) as model:
        await answers(model, texts(1), Sampling(max_tokens=3000))
        assert model.versions()["context"] == "3072"


async def test_a_context_that_was_set_is_kept_and_what_it_lacks_is_told(tiny: Path) -> None:
    async with running(tiny, context=512) as model:
        with pytest.raises(UserError, match=r"need 602 tokens of context; model\.context is 512"):
            await answers(model, texts(1), Sampling(max_tokens=600))


async def test_more_context_than_the_model_was_made_for_is_refused(tiny: Path) -> None:
    async with running(tiny) as model:
        with pytest.raises(UserError, match="made for 4096"):
            await answers(model, texts(1), Sampling(max_tokens=5000))


async def test_a_stream_left_early_does_not_block_the_next(tiny: Path) -> None:
    async with running(tiny) as model:
        async with aclosing(model.complete(texts(30), Sampling(max_tokens=500))) as stream:
            await anext(stream)
        assert len(await answers(model, texts(2), Sampling(max_tokens=5))) == 2


@pytest.mark.parametrize("temperature", [0.0, 1.0])
async def test_answers_before_the_childs_death_are_kept_and_its_end_is_told(tiny: Path, temperature: float) -> None:
    came = []
    async with running(tiny, concurrency=2) as model:
        with pytest.raises(RunFailed, match="ended while generating.*killed"):
            async for each in model.complete(texts(400), Sampling(max_tokens=1000, temperature=temperature)):
                came.append(each)
                if len(came) == 1:
                    os.kill(child_of(model), signal.SIGKILL)
    assert 1 <= len(came) < 400


async def test_a_file_without_its_tensors_is_told_with_llama_cpps_own_words(tmp_path: Path) -> None:
    path = tmp_path / "torn.gguf"
    path.write_bytes(gguf({"general.architecture": (STRING, "llama")}))
    with pytest.raises(UserError, match=r"llama\.cpp could not load the model: It ended .*llama\.context_length"):
        async with running(path):
            pass


async def test_another_file_than_a_gguf_is_refused_before_anything_is_started(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    path.write_text("<html>")
    with pytest.raises(UserError, match="is not a GGUF file"):
        async with running(path):
            pass


async def test_no_key_reaches_the_child(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-hidden")
    async with running(tiny) as model:
        assert "sk-hidden" not in _proc(child_of(model), "environ")


async def test_the_child_ends_when_its_stdin_does(tiny: Path) -> None:
    child = await LlamaChild.launch(LlamaOptions(tiny, slots=1, context=256, threads=1))
    assert child._process.stdin is not None
    child._process.stdin.close()
    assert await child.died(60)
    await child.close()


def test_the_child_ends_when_its_parent_is_killed(tiny: Path) -> None:
    program = (
        "import asyncio, sys; from pathlib import Path; from evalplus_run.models.llama_child import *\n"
        "async def main():\n"
        f"    child = await LlamaChild.launch(LlamaOptions(Path({str(tiny)!r}), 1, 256, 1))\n"
        "    print(child._process.pid, flush=True); await asyncio.sleep(600)\n"
        "asyncio.run(main())"
    )
    parent = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    assert _alive(child)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    while _alive(child):
        pass


def _alive(pid: int) -> bool:
    state = _proc(pid, "stat").rpartition(")")[2].split()
    return bool(state) and state[0] != "Z"


def _serving(path: Path) -> list[str]:
    """The processes that have a file as an argument."""
    pids = [each.name for each in Path("/proc").iterdir() if each.name.isdecimal()]
    return [pid for pid in pids if str(path) in _proc(pid, "cmdline")]


def _proc(pid: int | str, name: str) -> str:
    try:
        return Path(f"/proc/{pid}/{name}").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""


async def test_closing_twice_or_without_a_start_is_safe(tiny: Path) -> None:
    model = LlamaCpp(LlamaCppSettings(path=str(tiny)))
    await model.close()
    await model.start()
    await model.close()
    await model.close()


async def test_a_cancelled_start_leaves_no_child(tmp_path: Path) -> None:
    path = tiny_model(tmp_path / "cancelled.gguf")
    starting = asyncio.create_task(LlamaCpp(LlamaCppSettings(path=str(path))).start())
    while not _serving(path):
        await asyncio.sleep(0.005)
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting
    assert not _serving(path)


def test_the_identity_is_known_without_loading(tiny: Path) -> None:
    identity = LlamaCpp(LlamaCppSettings(path=str(tiny))).identity()
    assert identity["name"] == "tiny"
    assert len(identity["sha256"]) == 64
    preset = LlamaCpp(LlamaCppSettings(name="qwen2.5-coder-0.5b-instruct-q4_k_m")).identity()
    assert preset["sha256"].startswith("1d9614638d18024d")


@pytest.mark.engine
async def test_a_real_model_writes_a_function_and_repeats_it() -> None:
    path = os.environ.get("EVALPLUS_RUN_GGUF")
    if not path:
        pytest.skip("EVALPLUS_RUN_GGUF names no GGUF file of an instruct model")
    prompt = Prompt(
        "A/0",
        messages=(Message("user", "Write `def add(a, b)`, which returns the sum, in a ```python block."),),
        prefill="Here it is:\n```python\n",
        stop=("\n```\n",),
    )
    async with running(Path(path), threads=0) as model:
        runs = [await answers(model, [Request(prompt, tuple(range(4)))], Sampling(max_tokens=100)) for _ in range(2)]
    assert "def add(" in runs[0]["A/0", 0].text
    assert [runs[0][key].text for key in sorted(runs[0])] == [runs[1][key].text for key in sorted(runs[1])]
