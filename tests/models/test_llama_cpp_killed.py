"""Runs of llama.cpp that are killed at random moments, on a tiny model, and on a real one."""

import os
from pathlib import Path

import pytest
from gguf_writer import tiny_model
from killing import ALL, FEW, Killing, assert_equal, assert_nothing_is_lost_or_made_twice, broken_and_whole

pytest.importorskip("xllamacpp", reason="the extra llama-cpp is not installed")


def real_model(folder: Path) -> Path:
    path = os.environ.get("EVALPLUS_RUN_GGUF")
    if not path:
        pytest.skip("EVALPLUS_RUN_GGUF names no GGUF file of an instruct model")
    return Path(path)


def tiny(folder: Path) -> Path:
    return tiny_model(folder / "tiny.gguf")


FORMS = pytest.mark.parametrize(
    ("kills", "model", "run", "count"),
    [
        pytest.param(2, tiny, FEW, 60, id="few"),
        pytest.param(30, tiny, ALL, 656, id="all", marks=pytest.mark.slow),
        pytest.param(30, real_model, ALL, 656, id="real", marks=[pytest.mark.slow, pytest.mark.engine]),
    ],
)


def drawing(path: Path, *more: str) -> tuple[str, ...]:
    return ("model=llama_cpp", f"model.path={path}", "sampling.temperature=0.8", "sampling.max_tokens=32", *more)


@FORMS
def test_answers_that_llama_cpp_draws_one_by_one(tmp_path, kept, kills, model, run, count):
    command = drawing(model(tmp_path), "model.concurrency=1")
    broken, whole = broken_and_whole(tmp_path, kept, kills, count, *command, *run)
    assert_nothing_is_lost_or_made_twice(broken, count, at_once=1)
    assert_equal(broken, whole, "seconds")


@FORMS
def test_answers_that_llama_cpp_draws_at_once(tmp_path, kept, kills, model, run, count):
    """Which answers share a batch moves their last bits, so an unbroken run draws others; these are judged anew."""
    (tmp_path / "broken").mkdir()
    broken = Killing(tmp_path / "broken", kept, *drawing(model(tmp_path), "model.concurrency=8"), *run)
    broken.kill(kills, count, seed=6)
    broken.live()
    print(broken.told(count))
    assert_nothing_is_lost_or_made_twice(broken, count, at_once=8)
    (tmp_path / "again").mkdir()
    completions = broken.run / "completions.jsonl"
    again = Killing(tmp_path / "again", kept, "model=replay", f"model.path={completions}", *run)
    again.live()
    assert_equal(broken, again, "seconds")
