"""What the engines on this machine make of a chat template, of thinking and of a context: the same, on tiny models."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from chat_templates import BY_ITSELF_NOT, EMPTY_SECTION, HYBRID, OPENING, WITH_BOS
from gguf_writer import BOS, tiny_model

from evalplus_run.models import registry
from evalplus_run.models.base import Model, Thinking
from evalplus_run.models.registry import SETTINGS
from evalplus_run.records import Completion, Message, Prompt, Request, Sampling, UserError

CHAT = Prompt("A/0", messages=(Message("user", "hi"),))
BEGUN = Prompt("A/0", messages=CHAT.messages, prefill="Below")


class LlamaCppEngine:
    """llama.cpp on a GGUF file."""

    kind, settings = "llama_cpp", {"concurrency": 4, "threads": 1}

    def write(self, folder: Path, **properties: Any) -> Path:
        folder.mkdir(exist_ok=True)
        return tiny_model(folder / "tiny.gguf", **properties)


class TransformersEngine:
    """transformers on a folder."""

    kind, settings = "transformers", {"device_map": "cpu"}

    def write(self, folder: Path, **properties: Any) -> Path:
        from checkpoint_writer import tiny_checkpoint

        return tiny_checkpoint(folder, **properties)


Engine = LlamaCppEngine | TransformersEngine


@pytest.fixture(params=[LlamaCppEngine, TransformersEngine], ids=lambda engine: engine.kind)
def engine(request: pytest.FixtureRequest) -> Engine:
    modules = {"llama_cpp": ["xllamacpp"], "transformers": ["torch", "accelerate"]}[request.param.kind]
    for module in modules:
        pytest.importorskip(module, reason=f"the extra of {request.param.kind} is not installed")
    return request.param()


def made(engine: Engine, path: Path, **settings: Any) -> Model:
    return registry.build(SETTINGS[engine.kind](path=str(path), **{**engine.settings, **settings}))


@asynccontextmanager
async def running(engine: Engine, path: Path, thinking: Thinking = "auto", **settings: Any) -> AsyncIterator[Model]:
    model = made(engine, path, **settings)
    try:
        await model.start(thinking)
        yield model
    finally:
        await model.close()


async def answer(model: Model, prompt: Prompt, sampling: Sampling) -> Completion:
    (found,) = [each async for each in model.complete([Request(prompt, (0,))], sampling)]
    return found


async def test_a_chat_is_rendered_by_the_models_template_with_the_prefill_behind_it(
    engine: Engine, tmp_path: Path
) -> None:
    async with running(engine, engine.write(tmp_path)) as model:
        rendered = await model.render(BEGUN)
    assert rendered.text == "<|im_start|>user\nhi<|im_end|>\n<|im_start|>assistant\nBelow"
    assert rendered.token_ids is not None
    assert rendered.token_ids[:2] == (BOS, 3)
    assert len(rendered.token_ids) == len("BSuser\nhiE\nSassistant\nBelow")


@pytest.mark.parametrize("add_bos", [True, False])
async def test_a_template_that_writes_the_bos_gives_exactly_one(engine: Engine, tmp_path: Path, add_bos: bool) -> None:
    async with running(engine, engine.write(tmp_path, chat_template=WITH_BOS, add_bos=add_bos)) as model:
        ids = (await model.render(CHAT)).token_ids or ()
    assert ids[:1] == (BOS,)
    assert ids.count(BOS) == 1


async def test_a_bos_that_the_text_begins_with_is_not_doubled(engine: Engine, tmp_path: Path) -> None:
    async with running(engine, engine.write(tmp_path)) as model:
        written, added = [await model.render(Prompt("A/0", text=text)) for text in ("<s>x", "x")]
    assert written.token_ids == added.token_ids
    assert (added.token_ids or ()).count(BOS) == 1


async def test_a_hybrid_models_answer_is_not_begun_and_no_empty_section_is_written(
    engine: Engine, tmp_path: Path
) -> None:
    async with running(engine, engine.write(tmp_path, chat_template=HYBRID)) as model:
        assert not model.prefills
        assert model.versions()["thinking"] == "on"
        assert (await model.render(CHAT)).text.endswith("<|im_start|>assistant\n")
        with pytest.raises(ValueError, match="cannot be begun"):
            await model.render(BEGUN)


async def test_a_hybrid_model_asked_not_to_think_says_so(engine: Engine, tmp_path: Path) -> None:
    async with running(engine, engine.write(tmp_path, chat_template=HYBRID), "off") as model:
        assert model.prefills
        assert model.versions()["thinking"] == "off"
        assert (await model.render(CHAT)).text.endswith("<think>\n\n</think>\n\n")


@pytest.mark.parametrize(("asked", "thinks"), [("auto", False), ("off", False), ("on", True)])
async def test_a_model_that_thinks_only_when_asked_is_left_to_itself_under_auto(
    engine: Engine, tmp_path: Path, asked: Thinking, thinks: bool
) -> None:
    async with running(engine, engine.write(tmp_path, chat_template=BY_ITSELF_NOT), asked) as model:
        assert model.versions()["thinking"] == ("on" if thinks else "off")
        assert (await model.render(CHAT)).text.endswith("<think>\n" if thinks else "</think>")


async def test_nothing_is_put_in_place_of_a_section(engine: Engine, tmp_path: Path) -> None:
    path = engine.write(tmp_path, chat_template=EMPTY_SECTION)
    async with running(engine, path) as model:
        assert not model.prefills
        assert "<think>" not in (await model.render(CHAT)).text
    async with running(engine, path, "off") as model:
        assert (await model.render(BEGUN)).text.endswith("assistant\n<think>\n\n</think>\n\nBelow")


async def test_thinking_that_cannot_be_switched_off_is_refused(engine: Engine, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"prompt\.thinking=auto"):
        async with running(engine, engine.write(tmp_path, chat_template=OPENING), "off"):
            pass


async def test_text_behind_an_opened_section_is_reasoning_until_it_closes(engine: Engine, tmp_path: Path) -> None:
    async with running(engine, engine.write(tmp_path, chat_template=OPENING)) as model:
        assert not model.prefills
        found = await answer(model, CHAT, Sampling(max_tokens=8))
    assert found.text == ""
    assert found.reasoning


@pytest.mark.parametrize("temperature", [0.0, 1.0])
@pytest.mark.parametrize("stop", [(), tuple(chr(code) for code in range(32, 127))], ids=["no stop", "any stop"])
async def test_thinking_has_tokens_on_top_of_the_answers_and_no_stop_string_ends_it(
    engine: Engine, tmp_path: Path, temperature: float, stop: tuple[str, ...]
) -> None:
    path = engine.write(tmp_path, chat_template=OPENING, endless=True)
    async with running(engine, path, thinking_tokens=1024) as model:
        found = await answer(model, CHAT, Sampling(max_tokens=50, temperature=temperature, stop=stop))
        assert model.versions()["thinking_tokens"] == "1024"
    assert (found.text, found.finish_reason, found.completion_tokens) == ("", "length", 1074)
    assert found.reasoning


async def test_who_does_not_think_gets_no_tokens_for_it(engine: Engine, tmp_path: Path) -> None:
    path = engine.write(tmp_path, chat_template=HYBRID, endless=True)
    async with running(engine, path, "off", thinking_tokens=1024) as model:
        chat = await answer(model, CHAT, Sampling(max_tokens=50))
        assert "thinking_tokens" not in model.versions()
    async with running(engine, path, thinking_tokens=1024) as model:
        bare = await answer(model, Prompt("A/0", text="x"), Sampling(max_tokens=50))
    assert chat.completion_tokens == bare.completion_tokens == 50


async def test_thinking_gives_way_where_the_context_is_too_short_and_nothing_else_does(
    engine: Engine, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = engine.write(tmp_path, chat_template=OPENING, context=512, endless=True)
    async with running(engine, path) as model:
        found = await answer(model, CHAT, Sampling(max_tokens=50))
        ids = (await model.render(CHAT)).token_ids or ()
        told = f"{512 - 50 - len(ids)} tokens in place of 32768: the context has 512 for all of an answer"
        assert model.versions()["thinking_tokens"] == told
        with pytest.raises(UserError, match="made for 512"):
            await answer(model, CHAT, Sampling(max_tokens=500))
    assert f"thinking gets {told}" in caplog.messages
    assert (found.finish_reason, found.completion_tokens) == ("length", 512 - len(ids))


def test_a_model_that_may_think_is_told_apart_by_how_long_it_may(engine: Engine, tmp_path: Path) -> None:
    path = engine.write(tmp_path / "hybrid", chat_template=HYBRID)
    identities = [made(engine, path, thinking_tokens=tokens).identity() for tokens in (2000, 3000)]
    assert [each["thinking_tokens"] for each in identities] == ["2000", "3000"]
    assert "thinking_tokens" not in made(engine, engine.write(tmp_path / "plain")).identity()


async def test_a_base_model_takes_text_and_refuses_a_chat(engine: Engine, tmp_path: Path) -> None:
    async with running(engine, engine.write(tmp_path, chat_template="")) as model:
        assert not model.chat
        assert not model.prefills
        with pytest.raises(UserError, match="has no chat template: set prompt=base"):
            await model.render(CHAT)


async def test_a_template_file_of_the_users_replaces_the_models_and_moves_the_identity(
    engine: Engine, tmp_path: Path
) -> None:
    own = tmp_path / "own.jinja"
    own.write_text("{% for m in messages %}[{{ m.content }}]{% endfor %}")
    async with running(engine, engine.write(tmp_path), chat_template=str(own)) as model:
        assert (await model.render(CHAT)).text == "[hi]"
        assert "chat_template_sha256" in model.identity()
