"""A sweep over a real engine, on a tiny model."""

import pytest
from gguf_writer import tiny_model

pytest.importorskip("xllamacpp", reason="the extra llama-cpp is not installed")


def test_a_sweep_loads_a_local_model_once_for_all_its_temperatures(evalplus_run, tmp_path):
    tiny_model(tmp_path / "tiny.gguf")
    model = ("model=llama_cpp", "model.path=tiny.gguf", "sampling.max_tokens=8")
    done = evalplus_run("-m", *model, "dataset=example", "sampling.temperature=0,0.4,0.8", "prompt=evalplus,plain")
    assert (done.stderr.count("starting tiny"), done.stderr.count("tiny is loaded")) == (1, 5)
