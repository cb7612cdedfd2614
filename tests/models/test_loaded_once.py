"""A sweep over a real engine, on a tiny model."""

import os
import signal
import subprocess
import sys
import time

import pytest
from gguf_writer import tiny_model

pytest.importorskip("xllamacpp", reason="the extra llama-cpp is not installed")


def test_a_sweep_loads_a_local_model_once_for_all_its_temperatures(evalplus_run, tmp_path):
    tiny_model(tmp_path / "tiny.gguf")
    model = ("model=llama_cpp", "model.path=tiny.gguf", "sampling.max_tokens=8")
    done = evalplus_run("-m", *model, "dataset=example", "sampling.temperature=0,0.4,0.8", "prompt=evalplus,plain")
    lines = done.stderr.splitlines()
    assert (lines.count("model: starting tiny"), lines.count("model: tiny is loaded")) == (1, 5)


def test_a_job_that_fails_before_it_asks_leaves_the_model_to_the_next(evalplus_run, tmp_path):
    tiny_model(tmp_path / "tiny.gguf")
    model = ("model=llama_cpp", "model.path=tiny.gguf", "sampling.max_tokens=8", "sampling.temperature=0.4")
    done = evalplus_run("-m", *model, "dataset=example", "sampling.n=2,1,3", "k=[2]", status=1)
    lines = done.stderr.splitlines()
    assert "job 1 failed: k=2 needs as many samples" in done.stderr
    assert (lines.count("model: starting tiny"), lines.count("model: tiny is loaded")) == (1, 1)


def test_an_engine_that_died_between_jobs_is_loaded_anew(kept, tmp_path):
    tiny_model(tmp_path / "tiny.gguf")
    model = ("model=llama_cpp", "model.path=tiny.gguf", "sampling.max_tokens=8", "sampling.temperature=0,0.4,0.8")
    process = subprocess.Popen(
        [sys.executable, "-m", "evalplus_run", "-m", *model, "dataset=example"],
        cwd=tmp_path,
        env={**os.environ, "EVALPLUS_RUN_CACHE": str(kept)},
        stderr=(tmp_path / "told").open("w"),
    )
    while not list(tmp_path.rglob("scores.json")):
        assert process.poll() is None
        time.sleep(0.01)
    found = ["pgrep", "-P", str(process.pid), "-f", "llama"]
    children = subprocess.run(found, check=True, capture_output=True, text=True).stdout
    for child in children.split():
        os.kill(int(child), signal.SIGKILL)
    assert process.wait(120) == 0
    text = (tmp_path / "told").read_text()
    assert (text.splitlines().count("model: starting tiny"), "once more with a new one" in text) == (2, True)
