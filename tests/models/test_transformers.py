"""transformers in this process, on a checkpoint of two random layers whose tokens are bytes."""

import asyncio
import importlib.util
import json
import os
import subprocess
import sys
import weakref
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from chat_templates import HYBRID
from gguf_writer import tiny_model

from evalplus_run.models.base import Thinking
from evalplus_run.models.settings import TransformersSettings
from evalplus_run.records import Completion, Message, Prompt, Request, RunFailed, Sampling, UserError

torch = pytest.importorskip("torch", reason="the extra transformers is not installed")
pytest.importorskip("accelerate", reason="the extra transformers is not installed")

from checkpoint_writer import BOS, EOS, tiny_checkpoint  # noqa: E402

from evalplus_run.models.transformers import Transformers  # noqa: E402

CHAT = Prompt("A/0", messages=(Message("user", "hi"),))


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_checkpoint(tmp_path_factory.mktemp("checkpoints") / "tiny")


@asynccontextmanager
async def running(path: Path, thinking: Thinking = "auto", **settings: Any) -> AsyncIterator[Transformers]:
    model = Transformers(TransformersSettings(**{"path": str(path), "device_map": "cpu", **settings}))
    try:
        await model.start(thinking)
        yield model
    finally:
        await model.close()


def texts(count: int) -> list[Request]:
    return [Request(Prompt(f"A/{number}", text="hi " * number + "x"), (0,)) for number in range(count)]


async def answers(
    model: Transformers, requests: list[Request], sampling: Sampling
) -> dict[tuple[str, int], Completion]:
    return {(each.task_id, each.index): each async for each in model.complete(requests, sampling)}


async def texts_of(model: Transformers, requests: list[Request], sampling: Sampling) -> dict[tuple[str, int], str]:
    return {key: each.text for key, each in (await answers(model, requests, sampling)).items()}


def hook(model: Transformers, before: Callable[[int], None]) -> None:
    """Call `before` with the number of rows, before each of the model's steps."""

    def look(_: Any, __: Any, given: dict[str, Any]) -> None:
        before(given["input_ids"].shape[0])

    model._model.register_forward_pre_hook(look, with_kwargs=True)


def greedy_by_hand(model: Transformers, ids: tuple[int, ...], limit: int) -> list[int]:
    """No batch, no padding, no cache, no `generate`."""
    made: list[int] = []
    with torch.no_grad():
        while len(made) < limit and EOS not in made:
            made.append(int(model._model(torch.tensor([[*ids, *made]])).logits[0, -1].argmax()))
    return made


async def test_a_tokenizer_without_a_bos_of_its_own_gets_none(tmp_path: Path) -> None:
    async with running(tiny_checkpoint(tmp_path, add_bos=False)) as model:
        assert BOS not in ((await model.render(CHAT)).token_ids or ())


@pytest.mark.parametrize("form", ["in a file of its own", "in the tokenizer's", "one of several", "GGUF", "the user's"])
def test_a_model_that_may_think_is_told_apart_by_how_long_it_may(tmp_path: Path, form: str) -> None:
    template, settings = tmp_path / "chat_template.jinja", {"path": str(tmp_path)}
    if form == "GGUF":
        settings = {"path": str(tiny_model(tmp_path / "a.gguf", chat_template=HYBRID))}
    elif form == "the user's":
        tiny_checkpoint(tmp_path)
        template.rename(tmp_path / "other.jinja").write_text(HYBRID)
        settings["chat_template"] = str(tmp_path / "other.jinja")
    else:
        tiny_checkpoint(tmp_path, chat_template=HYBRID)
        if form != "in a file of its own":
            named = [{"name": "tool_use", "template": ""}, {"name": "default", "template": HYBRID}]
            config = {"chat_template": named if form == "one of several" else HYBRID}
            (tmp_path / "tokenizer_config.json").write_text(json.dumps(config))
            template.unlink()
    for tokens in (2000, 3000):
        identity = Transformers(TransformersSettings(**settings, thinking_tokens=tokens)).identity()
        assert identity["thinking_tokens"] == str(tokens)


def test_a_model_that_does_not_think_is_the_same_whatever_thinking_might_take(tiny: Path) -> None:
    assert "thinking_tokens" not in Transformers(TransformersSettings(path=str(tiny))).identity()
    preset = Transformers(TransformersSettings(name="qwen2.5-coder-0.5b-instruct-q4_k_m"))
    assert "thinking_tokens" not in preset.identity()


async def test_a_template_that_refuses_the_turns_is_quoted(tmp_path: Path) -> None:
    path = tiny_checkpoint(tmp_path, chat_template="{{ raise_exception('no system turn here') }}")
    async with running(path) as model:
        with pytest.raises(UserError, match="refuses the prompt: no system turn here"):
            await model.render(CHAT)


async def test_greedy_answers_in_padded_batches_are_those_of_a_plain_loop_over_one_prompt(tiny: Path) -> None:
    async with running(tiny, concurrency=8) as model:
        found = await answers(model, texts(12), Sampling(max_tokens=40))
        reader = model._started()[1].reader
        for request in texts(12):
            ids = (await model.render(request.prompt)).token_ids or ()
            by_hand = greedy_by_hand(model, ids, 40)
            assert found[request.prompt.task_id, 0].completion_tokens == len(by_hand)
            assert found[request.prompt.task_id, 0].text == reader.text(by_hand)


async def test_rows_that_outlast_their_batch_go_on_where_they_were(tiny: Path) -> None:
    widths: list[int] = []
    async with running(tiny, concurrency=8) as model:
        hook(model, widths.append)
        limits = [await answers(model, texts(8)[:1], Sampling(max_tokens=30))]
        widths.clear()
        # Some end early, at a stop string, so that the others move on to a smaller batch.
        stop = limits[0]["A/0", 0].text[2:5]
        batched = await texts_of(model, texts(8), Sampling(max_tokens=30, stop=(stop,)))
        many = list(widths)
        alone = {}
        for request in texts(8):
            alone |= await texts_of(model, [request], Sampling(max_tokens=30, stop=(stop,)))
    assert batched == alone
    assert many[0] == 8 > min(many)


@pytest.mark.parametrize("concurrency", [1, 3, 16])
async def test_drawn_answers_do_not_depend_on_what_shares_their_batch(tiny: Path, concurrency: int) -> None:
    sampling = Sampling(temperature=1.0, top_p=0.95, max_tokens=20, seed=7)
    requests = [Request(Prompt(f"A/{number}", text="hi " * number), (0, 1, 2)) for number in range(4)]
    async with running(tiny, concurrency=16) as model:
        whole = await texts_of(model, requests, sampling)
    async with running(tiny, concurrency=concurrency) as model:
        parts = await texts_of(model, [Request(each.prompt, (2, 0)) for each in reversed(requests)], sampling)
    assert len(parts) == 8
    assert parts == {key: whole[key] for key in parts}
    assert len({whole["A/1", index] for index in range(3)}) == 3


async def test_another_seed_draws_other_answers(tiny: Path) -> None:
    async with running(tiny) as model:
        one, other = [
            await texts_of(model, texts(3), Sampling(temperature=1.0, max_tokens=20, seed=seed)) for seed in (1, 2)
        ]
    assert all(one[key] != other[key] for key in one)


async def test_what_a_checkpoint_recommends_for_sampling_is_left_out_and_told(tiny: Path, tmp_path: Path) -> None:
    path = tiny_checkpoint(tmp_path, repetition_penalty=3.0, do_sample=True, top_k=1, temperature=0.1)
    found = []
    for each in (tiny, path):
        async with running(each) as model:
            sampling = [Sampling(max_tokens=30), Sampling(temperature=1.0, max_tokens=30)]
            found.append([await texts_of(model, texts(4), way) for way in sampling])
            told = model.versions()["generation_settings_left_out"]
    assert found[0] == found[1]
    assert "'repetition_penalty': 3.0" in told


async def test_counts_and_the_finish_reason_come_with_an_answer(tiny: Path) -> None:
    async with running(tiny) as model:
        found = await answers(model, texts(1), Sampling(max_tokens=1))
    answer = found["A/0", 0]
    assert (answer.finish_reason, answer.prompt_tokens, answer.completion_tokens) == ("length", 2, 1)


async def test_a_stop_string_of_several_tokens_ends_generation_where_it_is_complete(tiny: Path) -> None:
    async with running(tiny) as model:
        whole = (await answers(model, texts(4)[3:], Sampling(max_tokens=40)))["A/3", 0].text
        stop = whole[5:8]
        ended = (await answers(model, texts(4)[3:], Sampling(max_tokens=40, stop=("never", stop))))["A/3", 0]
    at = whole.index(stop)
    assert (ended.text, ended.finish_reason) == (whole[:at], "stop")
    assert ended.completion_tokens is not None
    assert ended.completion_tokens < 40


async def test_a_stop_string_that_is_a_token_of_its_own_ends_an_answer(tiny: Path) -> None:
    async with running(tiny) as model:
        row = model._rows(Request(Prompt("A/0", text="x", stop=("<|im_end|>", "y")), (0,)), Sampling())[0]
        ids = model._started()[0]._tokenizer.convert_tokens_to_ids(["<|im_end|>", "</s>"])
    assert row.ends == {*ids}


async def test_a_quantization_that_cannot_be_had_is_told_in_transformers_words(tiny: Path) -> None:
    if importlib.util.find_spec("bitsandbytes"):
        pytest.skip("bitsandbytes is installed")
    with pytest.raises(UserError, match=r"transformers cannot load .*bitsandbytes"):
        async with running(tiny, quantization={"quant_method": "bitsandbytes", "load_in_4bit": True}):
            pass


async def test_an_answer_that_does_not_fit_into_the_context_is_refused(tmp_path: Path) -> None:
    async with running(tiny_checkpoint(tmp_path, context=64)) as model:
        with pytest.raises(UserError, match=r"need 102 tokens of context.*made for 64: lower sampling\.max_tokens"):
            await answers(model, texts(1), Sampling(max_tokens=100))


async def test_a_stream_left_early_ends_generation_and_does_not_block_the_next(tiny: Path) -> None:
    steps: list[int] = []
    async with running(tiny, concurrency=2) as model:
        hook(model, steps.append)
        requests = [*texts(1), *texts(9)[1:]]
        async with aclosing(model.complete(requests, Sampling(max_tokens=900))) as stream:
            await anext(stream)
        seen = len(steps)
        await asyncio.sleep(0.2)
        assert len(steps) == seen
        assert len(await answers(model, texts(2), Sampling(max_tokens=5))) == 2


@pytest.mark.parametrize("error", [RuntimeError("DefaultCPUAllocator: can't allocate memory"), None])
async def test_where_memory_is_short_the_batch_is_halved_and_the_answers_stay(
    tiny: Path, error: Exception | None
) -> None:
    steps: list[int] = []

    def short(rows: int) -> None:
        steps.append(rows)
        if rows > 3 and len(steps) > 5:
            raise error or torch.OutOfMemoryError("CUDA out of memory")

    sampling = Sampling(temperature=1.0, max_tokens=20)
    async with running(tiny, concurrency=16) as model:
        whole = await texts_of(model, texts(16), sampling)
        hook(model, short)
        assert await texts_of(model, texts(16), sampling) == whole
        assert model.versions()["batch"] == "2"


async def test_memory_too_short_for_one_answer_is_told_with_its_remedies(tiny: Path) -> None:
    def never(rows: int) -> None:
        raise MemoryError

    async with running(tiny) as model:
        hook(model, never)
        with pytest.raises(RunFailed, match=r"does not do for one answer: set model\.dtype=bfloat16"):
            await answers(model, texts(4), Sampling(max_tokens=5))


async def test_answers_before_a_failure_are_kept_and_its_words_are_told(tiny: Path) -> None:
    came = []
    steps: list[int] = []

    def break_off(rows: int) -> None:
        steps.append(rows)
        if len(steps) > 30:
            raise RuntimeError("device-side assert triggered")

    async with running(tiny, concurrency=1) as model:
        hook(model, break_off)
        with pytest.raises(RunFailed, match="broke off its answers: device-side assert triggered"):
            async for each in model.complete(texts(6), Sampling(max_tokens=10)):
                came.append(each)  # noqa: PERF401 - those before the error count too
    assert len(came) >= 3


def test_the_identity_is_known_without_loading_and_follows_the_files(tiny: Path, tmp_path: Path) -> None:
    identity = Transformers(TransformersSettings(path=str(tiny), dtype="bfloat16")).identity()
    assert (identity["name"], identity["dtype"], len(identity["sha256"])) == ("tiny", "bfloat16", 64)
    other = tiny_checkpoint(tmp_path / "tiny", context=64)
    assert Transformers(TransformersSettings(path=str(other))).identity()["sha256"] != identity["sha256"]
    preset = Transformers(TransformersSettings(name="qwen2.5-coder-0.5b-instruct-q4_k_m")).identity()
    assert preset["sha256"].startswith("1d9614638d18024d")


async def test_the_dtype_asked_for_is_the_one_loaded(tiny: Path) -> None:
    async with running(tiny, dtype="bfloat16") as model:
        assert model.versions()["weights_dtype"] == "bfloat16"
        assert await answers(model, texts(2), Sampling(max_tokens=3))


async def test_a_gguf_file_is_loaded_with_its_template_and_answers(tmp_path: Path) -> None:
    pytest.importorskip("gguf", reason="the extra transformers is not installed")
    path = tiny_model(tmp_path / "tiny.gguf")
    async with running(path) as model:
        rendered = await model.render(CHAT)
        found = await answers(model, [Request(CHAT, (0,))], Sampling(max_tokens=8))
    assert rendered.text == "<|im_start|>user\nhi<|im_end|>\n<|im_start|>assistant\n"
    assert rendered.token_ids is not None
    assert rendered.token_ids.count(BOS) == 1
    assert found["A/0", 0].completion_tokens


async def test_an_adapter_moves_the_answers_and_the_identity(tiny: Path, tmp_path: Path) -> None:
    peft = pytest.importorskip("peft", reason="peft is not installed")
    from transformers import AutoModelForCausalLM

    base = AutoModelForCausalLM.from_pretrained(tiny)
    tuned = peft.get_peft_model(base, peft.LoraConfig(r=4, target_modules=["q_proj"], init_lora_weights=False))
    tuned.save_pretrained(tmp_path)
    async with running(tiny) as model:
        plain, identity = await texts_of(model, texts(4), Sampling(max_tokens=20)), model.identity()
    async with running(tiny, adapter=str(tmp_path)) as model:
        assert await texts_of(model, texts(4), Sampling(max_tokens=20)) != plain
        assert model.identity().keys() - identity.keys() == {"adapter_sha256"}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, r"model\.name is empty: name a model of the hub, or set model\.path"),
        ({"path": "missing"}, r"There is no file missing: model\.path names a GGUF file"),
        ({"path": "."}, r"transformers cannot load \."),
    ],
)
async def test_a_checkpoint_that_is_none_is_refused(
    settings: dict[str, str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError, match=message):
        await Transformers(TransformersSettings(**settings)).start()


async def test_a_folder_that_is_no_adapter_is_refused(tiny: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"holds no adapter_config\.json"):
        async with running(tiny, adapter=str(tmp_path)):
            pass


async def test_closing_frees_the_weights_and_is_safe_twice_or_without_a_start(tiny: Path) -> None:
    model = Transformers(TransformersSettings(path=str(tiny)))
    await model.close()
    await model.start()
    weights = weakref.ref(model._model)
    await answers(model, texts(2), Sampling(max_tokens=2))
    await model.close()
    await model.close()
    assert weights() is None


def test_a_run_of_the_command_samples_and_says_what_with(tiny: Path, evalplus_run: Any, tmp_path: Path) -> None:
    choice = ("model=transformers", f"model.path={tiny}", "model.quantization={}", "model.device_map=cpu")
    done = evalplus_run(*choice, "dataset=example", "sampling=nucleus", "sampling.n=3", "sampling.max_tokens=8")
    assert "pass@1" in done.stdout
    assert "Loading weights" not in done.stderr
    (path,) = (tmp_path / "outputs").rglob("manifest.json")
    manifest = json.loads(path.read_text())
    assert manifest["engine"]["weights_dtype"] == "float32"
    assert manifest["first_prompt"]["token_ids"][0] == BOS
    assert len((path.parent / "completions.jsonl").read_text().splitlines()) == 3


HUB = """
import asyncio, json, sys
from evalplus_run.models.settings import TransformersSettings
from evalplus_run.models.transformers import Transformers
from evalplus_run.records import UserError
async def main():
    model = Transformers(TransformersSettings(name=sys.argv[1], revision=sys.argv[2], device_map="cpu"))
    try:
        await model.start()
        print(json.dumps([dict(model.identity()), dict(model.versions())]))
    except UserError as error:
        print(json.dumps(str(error)))
asyncio.run(main())
"""


def ask_the_hub(cache: Path, name: str, revision: str) -> Any:
    environment = {**os.environ, "HF_HUB_CACHE": str(cache), "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", HUB, name, revision], env=environment, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def test_a_model_of_the_hub_is_taken_at_the_commit_that_its_branch_stands_for(tmp_path: Path) -> None:
    commit = "0123456789" * 4
    repository = tmp_path / "models--me--tiny"
    tiny_checkpoint(repository / "snapshots" / commit, chat_template=HYBRID)
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text(commit)
    identity, versions = ask_the_hub(tmp_path, "me/tiny", "")
    assert (identity["name"], identity["commit"], versions["commit"]) == ("me/tiny", commit, commit)
    assert identity["thinking_tokens"] == "32768"
    assert "me/tiny cannot be had from the hub" in ask_the_hub(tmp_path, "me/tiny", "other")
