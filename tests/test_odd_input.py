"""Files and folders that are not what they are taken for, through the command line."""

import json
import os
import subprocess
import sys

import pytest

RIGHT = "def sum_even_at_odd_index(numbers):\n    return sum(v for v in numbers[1::2] if v % 2 == 0)\n"


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def evalplus_run(tmp_path, cache):
    """Runs the command in a folder with one sample; its errors are one line that is no traceback."""
    row = {"task_id": "Example/0", "solution": RIGHT}
    (tmp_path / "s.jsonl").write_text(json.dumps(row) + "\n")

    def call(*arguments, status=0, environment=None):
        done = subprocess.run(
            [sys.executable, "-m", "evalplus_run", *arguments],
            cwd=tmp_path,
            env={**os.environ, "EVALPLUS_RUN_CACHE": str(cache), **(environment or {})},
            capture_output=True,
            text=True,
            errors="surrogateescape",
            check=False,
            timeout=120,
        )
        assert done.returncode == status, done.stderr
        assert status == 0 or len(done.stderr.strip().splitlines()) == 1, done.stderr
        return done

    return call


@pytest.mark.parametrize(
    "arguments",
    [
        ("samples=odd", "dataset=example"),
        ("samples=folder", "dataset=example"),
        ("samples=s.jsonl", "dataset=custom", "dataset.path=odd"),
        ("model=replay", "model.path=odd", "dataset=example"),
        ("model=replay", "model.path=s.jsonl", "dataset=example", "prompt.template=odd"),
        ("sanitize", "odd", "out.jsonl", "--dataset", "example"),
        ("sanitize", "folder", "out", "--dataset", "example"),
        ("sanitize", "s.jsonl", "out.jsonl", "--dataset", "odd"),
        ("report", "odd"),
        ("show", "odd", "Example/0"),
    ],
)
def test_a_pipe_in_place_of_a_file_is_named_and_never_waited_for(evalplus_run, tmp_path, arguments):
    os.mkfifo(tmp_path / "odd")
    (tmp_path / "folder" / "Example_0").mkdir(parents=True)
    os.mkfifo(tmp_path / "folder" / "Example_0" / "0.py")
    assert "odd" in (shown := evalplus_run(*arguments, status=2).stderr) or "0.py" in shown


@pytest.mark.parametrize("manifest", ["{}", '{"dataset": 5}', '{"dataset": {}}'])
def test_a_manifest_without_a_dataset_is_said_to_be_one(evalplus_run, tmp_path, manifest):
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "manifest.json").write_text(manifest)
    done = evalplus_run("show", "run", "Example/0", status=2)
    assert "run/manifest.json does not tell the run's dataset" in done.stderr
