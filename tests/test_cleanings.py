"""What a run tells of its sanitizer: the same answers cleaned by the other one, and whole, through the command line."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

RIGHT = "def sum_even_at_odd_index(numbers):\n    return sum(v for v in numbers[1::2] if v % 2 == 0)\n"
WRONG = "def sum_even_at_odd_index(numbers):\n    return sum(numbers)\n"
# EvalPlus drops a helper without `return`, and takes the first of two definitions.
HELPER = """def keep(v, kept):
    if v % 2 == 0:
        kept.append(v)

def sum_even_at_odd_index(numbers):
    kept = []
    for v in numbers[1::2]:
        keep(v, kept)
    return sum(kept)
"""
ANSWERS = (f"Here it is:\n```python\n{RIGHT}```\n", HELPER, f"{RIGHT}\n{WRONG}", WRONG, "I cannot.")

AS_DEFAULT_CLEANS = (
    "Sanitizers: passing in one way only, of 5 samples: 1 with default (Example/0 #1), "
    "1 with evalplus (Example/0 #2), 1 cleaned (Example/0 #0)."
)
AS_EVALPLUS_CLEANS = (
    "Sanitizers: passing in one way only, of 5 samples: 1 with default (Example/0 #1), "
    "1 with evalplus (Example/0 #2), 2 cleaned (Example/0 #0, Example/0 #2), 1 whole (Example/0 #1)."
)
RUN = ("dataset=example", "run_dir=run")
GIVEN = ("samples=samples.jsonl", *RUN)
REPLAYED = ("model=replay", "model.path=answers.jsonl", f"sampling.n={len(ANSWERS)}", *RUN)


@pytest.fixture(autouse=True)
def files(tmp_path):
    for name, field in (("samples", "solution"), ("answers", "text")):
        write(tmp_path / f"{name}.jsonl", field, ANSWERS)


def write(path, field, texts):
    path.write_text("".join(json.dumps({"task_id": "Example/0", field: text}) + "\n" for text in texts))


def told(text):
    """The line, however a terminal breaks it."""
    joined = " ".join(text.split())
    start = joined.index("Sanitizers:")
    return joined[start : joined.index(". ", start) + 1]


def rows(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.parametrize("command", [REPLAYED, (*GIVEN, "sanitizer=default")], ids=["model", "given"])
def test_a_run_its_report_and_its_page_tell_what_hangs_on_the_sanitizer(evalplus_run, tmp_path, command):
    assert told(evalplus_run(*command).stdout) == AS_DEFAULT_CLEANS
    assert told(evalplus_run("report", "run").stdout) == AS_DEFAULT_CLEANS
    assert AS_DEFAULT_CLEANS in (tmp_path / "run" / "report.html").read_text()
    (summary,) = json.loads(evalplus_run("report", "run", "--json").stdout)
    assert summary["sanitizers"] == {
        "samples": 5,
        "only_default": [["Example/0", 1]],
        "only_evalplus": [["Example/0", 2]],
        "only_cleaned": [["Example/0", 0]],
        "only_whole": [],
    }
    assert summary == json.loads((tmp_path / "run" / "scores.json").read_text())


def test_a_run_cleaned_as_evalplus_does_is_compared_with_the_default_one(evalplus_run):
    assert told(evalplus_run(*REPLAYED, "sanitizer=evalplus").stdout) == AS_EVALPLUS_CLEANS
    assert told(evalplus_run(*REPLAYED).stdout) == AS_DEFAULT_CLEANS
    assert told(evalplus_run(*REPLAYED, "sanitizer=evalplus").stdout) == AS_EVALPLUS_CLEANS


def test_whole_text_of_a_base_model_has_the_prompt_in_front(evalplus_run, tmp_path):
    body = "    return sum(v for v in numbers[1::2] if v % 2 == 0)\n"
    write(tmp_path / "answers.jsonl", "text", [body, f"{body}\nSo it is."])
    shown = told(
        evalplus_run("model=replay", "model.path=answers.jsonl", "model.chat=false", "sampling.n=2", *RUN).stdout
    )
    assert "1 cleaned (Example/0 #1)." in shown


@pytest.mark.parametrize("command", [REPLAYED, (*GIVEN, "sanitizer=default")], ids=["model", "given"])
def test_without_the_comparison_run_verdicts_and_score_are_the_same(evalplus_run, tmp_path, command):
    command = command[:-1] if command is REPLAYED else (command[0], command[1], command[3])
    without = evalplus_run(*command, "sanitizer.compare=false").stdout
    (folder,) = [path.parent for path in (tmp_path / "outputs").rglob("scores.json")]
    verdicts, scores = (folder / "verdicts.jsonl").read_bytes(), json.loads((folder / "scores.json").read_text())
    assert "Sanitizers" not in without
    assert json.loads((folder / "manifest.json").read_text())["sanitizer"]["compare"] is False
    assert not list(folder.glob("verdicts-*"))
    assert told(evalplus_run(*command).stdout) == AS_DEFAULT_CLEANS
    assert [path.parent for path in (tmp_path / "outputs").rglob("scores.json")] == [folder]
    assert (folder / "verdicts.jsonl").read_bytes() == verdicts
    assert json.loads((folder / "scores.json").read_text())["scores"] == scores["scores"]
    assert json.loads((folder / "manifest.json").read_text())["sanitizer"]["compare"] is True


def test_where_nothing_is_cleaned_nothing_is_compared(evalplus_run, tmp_path):
    assert "Sanitizers" not in evalplus_run(*GIVEN).stdout
    assert not list((tmp_path / "run").glob("verdicts-*"))
    assert "Sanitizers" not in evalplus_run("report", "run/eval_results.json").stdout
    assert json.loads((tmp_path / "run" / "scores.json").read_text())["sanitizers"] is None


def test_programs_that_differ_in_layout_alone_are_not_judged_again(evalplus_run, tmp_path):
    evalplus_run(*REPLAYED, "evaluate.cache=false")
    as_evalplus = {row["index"] for row in rows(tmp_path / "run" / "verdicts-evalplus.jsonl")}
    whole = {row["index"] for row in rows(tmp_path / "run" / "verdicts-none.jsonl")}
    assert as_evalplus == {1, 2, 4}
    assert whole == {0, 2, 4}


def test_a_run_killed_while_it_compares_goes_on_and_tells_the_same(evalplus_run, tmp_path, kept):
    texts = [text.replace("numbers", f"numbers_{number}") for number in range(24) for text in ANSWERS]
    write(tmp_path / "answers.jsonl", "text", texts)
    command = (
        *REPLAYED[:2],
        f"sampling.n={len(texts)}",
        "dataset=example",
        "evaluate.cache=false",
        "executor.workers=1",
    )
    expected = told(evalplus_run(*command, "run_dir=never-killed").stdout)
    environment = {**os.environ, "EVALPLUS_RUN_CACHE": str(kept)}
    run = [tmp_path / "run" / f"verdicts-{name}.jsonl" for name in ("evalplus", "none")]
    for log in run:
        process = subprocess.Popen(
            [sys.executable, "-m", "evalplus_run", *command, "run_dir=run"],
            cwd=tmp_path, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        while process.poll() is None and not (log.exists() and log.stat().st_size):
            time.sleep(0.001)
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
        assert not (tmp_path / "run" / "scores.json").exists()
    assert told(evalplus_run(*command, "run_dir=run").stdout) == expected
    for log in run:
        indices = [row["index"] for row in rows(log)]
        assert len(indices) == len({*indices})
        assert len(indices) == len(rows(tmp_path / "never-killed" / log.name))
    assert "and 21 more" in expected
