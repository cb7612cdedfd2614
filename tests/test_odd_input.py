"""Files and folders that are not what they are taken for, through the command line."""

import gzip
import json
import os
import subprocess
import sys

import pytest

RIGHT = "def sum_even_at_odd_index(numbers):\n    return sum(v for v in numbers[1::2] if v % 2 == 0)\n"


@pytest.fixture
def evalplus_run(evalplus_run, tmp_path):
    """In a folder with one sample; errors are one line that is no traceback."""
    row = {"task_id": "Example/0", "solution": RIGHT}
    (tmp_path / "s.jsonl").write_text(json.dumps(row) + "\n")

    def call(*arguments, status=0, environment=None):
        done = evalplus_run(*arguments, status=status, environment=environment)
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


def test_a_file_whose_values_need_more_memory_than_there_is_is_told(tmp_path):
    with gzip.open(tmp_path / "bomb.gz", "wb") as file:
        file.write(b'{"eval": [' + b"[]," * 10_000_000 + b"[]]}")
    limited = "import resource, sys; from evalplus_run import cli; " + (
        "resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20)); sys.exit(cli.run(['report', 'bomb.gz']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", limited], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 2
    assert done.stderr == "evalplus-run: bomb.gz needs more memory to be read than there is: name another.\n"


ODD = b"caf\xe9\xff".decode("utf-8", "surrogateescape")


def test_names_that_are_not_text_are_read_written_shown_and_found_again(evalplus_run, tmp_path):
    row = {
        "task_id": "Example/0",
        "prompt": "def sum_even_at_odd_index(numbers):\n",
        "entry_point": "sum_even_at_odd_index",
        "canonical_solution": "    return sum(v for v in numbers[1::2] if v % 2 == 0)\n",
        "base_input": [[[1, 2]]],
    }
    (tmp_path / f"b{ODD}.jsonl").write_text(json.dumps(row))
    (tmp_path / "s.jsonl").rename(tmp_path / f"s{ODD}.jsonl")
    command = (f"samples=s{ODD}.jsonl", "dataset=custom", f"dataset.path=b{ODD}.jsonl")
    assert "100.0" in evalplus_run(*command, f"run_dir=r{ODD}").stdout
    assert "100.0" in evalplus_run(*command).stdout
    shown = evalplus_run("report", f"r{ODD}", "--html", f"p{ODD}.html").stdout
    assert "100.0" in shown
    assert r"Page: pcaf\udce9\udcff.html" in shown
    assert (tmp_path / f"p{ODD}.html").exists()
    assert "sum(v for v" in evalplus_run("show", f"r{ODD}", "Example/0").stdout
    evalplus_run("sanitize", f"s{ODD}.jsonl", f"o{ODD}.jsonl", "--dataset", f"b{ODD}.jsonl")
    assert (tmp_path / f"o{ODD}.jsonl").exists()


def test_answers_in_a_file_whose_name_is_not_text_are_sampled(evalplus_run, tmp_path):
    (tmp_path / "s.jsonl").rename(tmp_path / f"s{ODD}.jsonl")
    assert "100.0" in evalplus_run("model=replay", f"model.path=s{ODD}.jsonl", "dataset=example").stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("samples=~no-such-user/x", "dataset=example"), "~no-such-user/x does not exist"),
        (("samples=" + "x" * 300, "dataset=example"), "File name too long"),
        (("report", "x" * 300), "File name too long"),
        (("samples=s.jsonl", "dataset=example", "run_dir=s.jsonl"), "Cannot write to s.jsonl"),
        (("samples=s.jsonl", "dataset=example", "run_dir=/dev/null"), "Cannot write to /dev/null"),
        (("samples=s.jsonl", "dataset=example", "run_dir=${nope}"), "Interpolation key 'nope' not found"),
        (("samples=s.jsonl", "dataset=null"), "There is no dataset=null"),
        (("dataset=example", "samples=s.jsonl", "sampling.n=" + "9" * 5000), "configuration cannot be composed"),
        (("dataset=example", "samples=s.jsonl", "--resolve"), "--resolve flag"),
        (("dataset=example", "samples=s.jsonl", "--cfg"), "--hydra-help lists the options"),
        (("-x",), "Unrecognized arguments: -x"),
        (("-cd", "odd", "dataset=odd"), "configuration cannot be composed"),
        (("-cn", "nope", "dataset=example"), "Cannot find primary config 'nope'"),
        (("model.name=x", "dataset=example"), "No model is chosen"),
        (("model=openai", "model.name=x", "model.base_url=http://[::1", "dataset=example"), "is no address"),
        (("model=openai", "model.name=x", "model.api_key_env=sk-0123", "dataset=example"), "write the variable's name"),
    ],
)
def test_what_cannot_be_is_one_sentence_and_status_2(evalplus_run, tmp_path, arguments, message):
    (tmp_path / "odd" / "dataset").mkdir(parents=True)
    (tmp_path / "odd" / "dataset" / "odd.yaml").write_bytes(b"name: \xff")
    assert message in evalplus_run(*arguments, status=2).stderr


@pytest.mark.parametrize("arguments", [("report", ""), ("sanitize", "", "out", "--dataset", "example")])
def test_an_empty_path_is_not_this_folder(tmp_path, arguments):
    command = [sys.executable, "-m", "evalplus_run", *arguments]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 2
    assert "it is empty" in done.stderr


def test_a_value_of_any_length_does_not_fill_the_screen(evalplus_run):
    assert len(evalplus_run("dataset=" + "x" * 100_000, status=2).stderr) < 2_100


def test_a_pipe_that_is_to_be_written_is_refused_and_stays(evalplus_run, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert "pipe cannot be used" in evalplus_run("sanitize", "s.jsonl", "pipe", "--dataset", "example", status=2).stderr
    assert (tmp_path / "pipe").is_fifo()


def test_options_of_hydra_work_and_its_help_is_ours(evalplus_run):
    assert "min_time_limit: 4.0" in evalplus_run("--cfg", "job", "--resolve", "dataset=example").stdout
    assert evalplus_run("dataset=example", "--help").stdout == evalplus_run("--help").stdout
    assert evalplus_run("dataset=example", "--version").stdout == evalplus_run("--version").stdout
