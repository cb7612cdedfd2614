"""Whole runs through the command line, in processes of their own."""

import gzip
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

PROGRAMS = {
    "right": "def sum_even_at_odd_index(numbers):\n    return sum(v for v in numbers[1::2] if v % 2 == 0)\n",
    "wrong": "def sum_even_at_odd_index(numbers):\n    return sum(numbers)\n",
    "loops": "def sum_even_at_odd_index(numbers):\n    while True: pass\n",
    "crashes": "import os\ndef sum_even_at_odd_index(numbers):\n    os._exit(0)\n",
}


def answers(path, *names, fenced=True):
    """A file of answers to the example's task, one for each name of PROGRAMS."""
    with path.open("w") as file:
        for name in names:
            text = f"Here it is:\n```python\n{PROGRAMS[name]}```\n" if fenced else PROGRAMS[name]
            file.write(json.dumps({"task_id": "Example/0", "text" if fenced else "solution": text}) + "\n")
    return path


def rows(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def outcomes_of(run):
    return {row["index"]: row["evalplus"]["plus"]["outcome"] for row in rows(run / "verdicts.jsonl")}


def the_run(tmp_path):
    (manifest,) = (tmp_path / "outputs").rglob("manifest.json")
    return manifest.parent


REPLAY = ("model=replay", "model.path=answers.jsonl", "dataset=example")


def test_a_run_goes_from_answers_to_a_score_and_its_files(evalplus_run, tmp_path):
    answers(tmp_path / "answers.jsonl", "right", "wrong", "crashes")
    done = evalplus_run(*REPLAY, "sampling.n=3")
    assert "33.3" in done.stdout
    assert "as a model would get it; the answers are replayed" in done.stderr
    folder = the_run(tmp_path)
    assert {path.name for path in folder.iterdir()} >= {
        "manifest.json", "completions.jsonl", "samples.jsonl", "verdicts.jsonl", "scores.json", "eval_results.json",
        "report.html",
    }  # fmt: skip
    verdicts = {row["index"]: row["evalplus"]["base"]["outcome"] for row in rows(folder / "verdicts.jsonl")}
    assert verdicts == {0: "pass", 1: "wrong", 2: "crash"}
    results = json.loads((folder / "eval_results.json").read_text())
    assert [row["base_status"] for row in results["eval"]["Example/0"]] == ["pass", "fail", "fail"]
    assert results["pass_at_k"]["plus"]["pass@1"] == pytest.approx(1 / 3)
    manifest = json.loads((folder / "manifest.json").read_text())
    assert "sum_even_at_odd_index" in manifest["first_prompt"]["text"]
    assert manifest["program"]["command"][:2] == ["evalplus-run", "model=replay"]


def test_the_same_command_again_asks_and_judges_nothing(evalplus_run, tmp_path):
    answers(tmp_path / "answers.jsonl", "right")
    first = evalplus_run(*REPLAY)
    before = (the_run(tmp_path) / "verdicts.jsonl").read_bytes()
    again = evalplus_run(*REPLAY, "evaluate.cache=false")
    assert "starting" not in again.stderr
    assert (the_run(tmp_path) / "verdicts.jsonl").read_bytes() == before
    assert first.stdout.splitlines()[:6] == again.stdout.splitlines()[:6]


def test_raising_n_draws_only_what_is_missing(evalplus_run, tmp_path):
    answers(tmp_path / "answers.jsonl", "right", "wrong")
    evalplus_run(*REPLAY, "sampling.n=1")
    evalplus_run(*REPLAY, "sampling.n=2")
    folder = the_run(tmp_path)
    assert [row["index"] for row in rows(folder / "completions.jsonl")] == [0, 1]


def test_another_judge_judges_again_and_asks_nothing(evalplus_run, tmp_path):
    answers(tmp_path / "answers.jsonl", "wrong")
    evalplus_run(*REPLAY)
    done = evalplus_run(*REPLAY, "evaluate.details=true")
    assert "starting" not in done.stderr
    verdict = rows(the_run(tmp_path) / "verdicts.jsonl")[-1]
    assert len(verdict["evalplus"]["base"]["failed_tests"]) > 1


def test_another_sanitizer_judges_other_programs_of_the_same_answers(evalplus_run, tmp_path):
    answers(tmp_path / "answers.jsonl", "right")
    evalplus_run(*REPLAY)
    done = evalplus_run(*REPLAY, "sanitizer=none")
    assert "starting" not in done.stderr
    found = {path.parent.name[-5:]: json.loads(path.read_text())["scores"] for path in tmp_path.rglob("scores.json")}
    assert found.pop("-none")["evalplus"]["outcomes"]["base"] == {"syntax_error": 1}
    assert [scores["evalplus"]["outcomes"]["base"] for scores in found.values()] == [{"pass": 1}]


def test_an_answer_that_is_missing_stops_the_run_with_a_sentence(evalplus_run, tmp_path):
    answers(tmp_path / "answers.jsonl", "right")
    done = evalplus_run(*REPLAY, "sampling.n=3", status=2)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("form", ["samples.jsonl", "samples.jsonl.gz", "folder"])
def test_samples_that_exist_are_judged_in_every_form(evalplus_run, tmp_path, form):
    path = answers(tmp_path / "samples.jsonl", "right", "wrong", "loops", fenced=False)
    if form == "samples.jsonl.gz":
        (tmp_path / form).write_bytes(gzip.compress(path.read_bytes()))
    elif form == "folder":
        (tmp_path / form / "Example_0").mkdir(parents=True)
        for number, name in enumerate(("right", "wrong", "loops")):
            (tmp_path / form / "Example_0" / f"{number}.py").write_text(PROGRAMS[name])
    evalplus_run(f"samples={form}", "dataset=example", "evaluate.min_time_limit=0.5")
    assert outcomes_of(the_run(tmp_path)) == {0: "pass", 1: "wrong", 2: "timeout"}


def test_a_changed_benchmark_is_judged_anew_in_a_folder_of_its_own(evalplus_run, tmp_path):
    row = {
        "task_id": "Own/0",
        "prompt": "def f(x):\n",
        "entry_point": "f",
        "canonical_solution": "    return abs(x)\n",
        "base_input": [[1]],
    }
    (tmp_path / "b.jsonl").write_text(json.dumps(row) + "\n")
    (tmp_path / "s.jsonl").write_text(json.dumps({"task_id": "Own/0", "solution": "def f(x): return x"}) + "\n")
    command = ("samples=s.jsonl", "dataset=custom", "dataset.path=b.jsonl")
    assert "100.0" in evalplus_run(*command).stdout
    (tmp_path / "b.jsonl").write_text(json.dumps({**row, "plus_input": [[-1]]}) + "\n")
    assert "0.0" in evalplus_run(*command).stdout


def test_changed_samples_are_judged_in_a_folder_of_their_own(evalplus_run, tmp_path):
    answers(tmp_path / "s.jsonl", "wrong", fenced=False)
    evalplus_run("samples=s.jsonl", "dataset=example")
    answers(tmp_path / "s.jsonl", "right", fenced=False)
    assert "100.0" in evalplus_run("samples=s.jsonl", "dataset=example").stdout
    assert len(list((tmp_path / "outputs" / "example").iterdir())) == 2


def test_samples_of_one_task_are_scored_over_one_task_and_said_to_be_partial(evalplus_run, tmp_path):
    (tmp_path / "s.jsonl").write_text(
        json.dumps({"task_id": "HumanEval/53", "completion": "    return x + y\n"}) + "\n"
    )
    done = evalplus_run("samples=s.jsonl", "dataset=humaneval")
    assert "100.0" in done.stdout
    assert "1 of 164 tasks" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("dataset=example",), "Give a model"),
        (("samples=absent.jsonl", "dataset=example"), "absent.jsonl"),
        (("modle.name=x",), "did you mean model.name"),
        (("+modle.name=x",), "did you mean model.name"),
        (("samples=x", "model=replay", "dataset=example"), "drop one of them"),
        (("dataset=humanevalplus",), "did you mean dataset=humaneval_plus"),
        (("dataset=example", "samples=x", "dataset.variant=minni"), "did you mean mini"),
        (("reprot",), "no command reprot"),
        (("report", "absent"), "absent does not exist"),
        (("report", "."), "is not a run's folder"),
        (("show", ".", "--index", "1"), "give the TASK too"),
        (("dataset=example", "samples=x", "hydra.nonsense=1"), "nonsense"),
    ],
)
def test_wrong_use_is_one_sentence_and_status_2(evalplus_run, arguments, message):
    done = evalplus_run(*arguments, status=2)
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_model_without_a_name_is_said_to_start_by_its_kind(evalplus_run):
    done = evalplus_run("model=openai", "model.base_url=http://127.0.0.1:9/v1", "dataset=example", status=2)
    assert done.stderr.splitlines()[0] == "model: starting openai"
    assert "model.name is empty" in done.stderr


def test_a_bad_line_of_samples_is_named_with_its_number(evalplus_run, tmp_path):
    good = json.dumps({"task_id": "Example/0", "solution": PROGRAMS["right"]})
    (tmp_path / "s.jsonl").write_text(f"{good}\nnonsense\n")
    assert "s.jsonl:2" in evalplus_run("samples=s.jsonl", "dataset=example", status=2).stderr


def test_a_run_that_is_killed_again_and_again_ends_as_one_that_never_was(evalplus_run, tmp_path, kept):
    names = [random.Random(7).choice(["right", "wrong", "crashes"]) for _ in range(120)]
    answers(tmp_path / "answers.jsonl", *names)
    command = [sys.executable, "-m", "evalplus_run", *REPLAY, "sampling.n=120", "evaluate.cache=false", "run_dir=run"]
    environment = {**os.environ, "EVALPLUS_RUN_CACHE": str(kept)}
    grown = []
    for _ in range(5):
        process = subprocess.Popen(
            command, cwd=tmp_path, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        size = sum(path.stat().st_size for path in (tmp_path / "run").glob("*.jsonl"))
        while process.poll() is None and sum(p.stat().st_size for p in (tmp_path / "run").glob("*.jsonl")) <= size:
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.wait()
        grown.append(len((tmp_path / "run" / "completions.jsonl").read_bytes().splitlines()))
    evalplus_run(*command[3:])
    assert min(grown) < 120
    verdicts = rows(tmp_path / "run" / "verdicts.jsonl")
    assert sorted(row["index"] for row in verdicts) == list(range(120))
    outcome = {"right": "pass", "wrong": "wrong", "crashes": "crash"}
    assert all(row["evalplus"]["base"]["outcome"] == outcome[names[row["index"]]] for row in verdicts)


def test_references_that_a_broken_cache_kept_are_run_again_and_that_is_said(evalplus_run, tmp_path):
    answers(tmp_path / "s.jsonl", "right", "wrong", fenced=False)
    environment = {"EVALPLUS_RUN_CACHE": str(tmp_path / "cache")}
    arguments = ("samples=s.jsonl", "dataset=example", "run_dir=run")
    assert "broken" not in evalplus_run(*arguments, environment=environment).stderr
    before = outcomes_of(tmp_path / "run")
    for kept in (tmp_path / "cache").rglob("*.values"):
        kept.write_bytes(kept.read_bytes()[:20])
    done = evalplus_run(*arguments[:2], "run_dir=again", environment=environment)
    assert "References that were broken in the cache, and run again: 1." in done.stderr
    assert outcomes_of(tmp_path / "again") == before


def test_reports_and_samples_can_be_read_again(evalplus_run, tmp_path):
    answers(tmp_path / "answers.jsonl", "wrong")
    evalplus_run(*REPLAY, "run_dir=run")
    assert "pass@1" in evalplus_run("report", "run", "--html", "page.html").stdout
    assert "<!doctype html>" in (tmp_path / "page.html").read_text().lower()
    both = evalplus_run("report", "run", "--json", "--html", "other.html").stdout
    assert [run["scores"]["evalplus"]["samples"] for run in json.loads(both)] == [1]
    assert (tmp_path / "other.html").exists()
    shown = evalplus_run("show", "run", "Example/0").stdout
    assert "sum(numbers)" in shown
    assert "expected" in shown
    assert (
        "has no sample 9 of Example/0, only 0"
        in evalplus_run("show", "run", "Example/0", "--index", "9", status=2).stderr
    )


def test_a_result_file_of_evalplus_is_reported_from_its_statuses(evalplus_run, tmp_path):
    answers(tmp_path / "answers.jsonl", "right", "wrong")
    evalplus_run(*REPLAY, "sampling.n=2", "run_dir=run")
    shown = evalplus_run("report", "run/eval_results.json").stdout
    assert "50.0" in shown
    assert "without strict" in shown
    evalplus_run("report", "run/eval_results.json", "--html", "p.html")
    assert "eval_results.json on example 1" in (tmp_path / "p.html").read_text()
    results = json.loads((tmp_path / "run" / "eval_results.json").read_text())
    (tmp_path / "other.json").write_text(json.dumps({**results, "hash": "other"}))
    assert "name that with --dataset" in evalplus_run("report", "other.json", "--html", "p.html").stdout
    assert "other.json on an unknown dataset" in (tmp_path / "p.html").read_text()


def test_a_published_score_is_held_against_the_runs_own(evalplus_run, tmp_path):
    answers(tmp_path / "answers.jsonl", "right", "wrong")
    published = "published={example: {base: 50, plus: 45.5, source: a table}}"
    done = evalplus_run(*REPLAY, "sampling.n=2", "run_dir=run", published)
    held = "published 45.5 is ours to the task, in [0.0, 100.0], where chance"
    assert held in " ".join(done.stdout.split())
    assert held in " ".join(evalplus_run("report", "run").stdout.split())
    assert "published" in evalplus_run(*REPLAY, "published={example: {base: 101}}", status=2).stderr
    other = evalplus_run(*REPLAY, "run_dir=other", "published={humaneval: {base: 50, source: a table}}")
    assert "published has scores of humaneval, and none of example." in " ".join(other.stdout.split())


def test_two_runs_are_compared_task_by_task(evalplus_run, tmp_path):
    answers(tmp_path / "answers.jsonl", "right", "wrong")
    answers(tmp_path / "other.jsonl", "right", "right")
    evalplus_run(*REPLAY, "sampling.n=2", "run_dir=one")
    evalplus_run("model=replay", "model.path=other.jsonl", "dataset=example", "sampling.n=2", "run_dir=two")
    for form, mark in (("markdown", "|---|"), ("latex", "\\toprule"), ("csv", "dataset,model")):
        table = evalplus_run("report", "one", "two", f"--{form}").stdout
        assert mark in table
        assert table.count("replayed answers") == 2
    assert "not allowed with" in evalplus_run("report", "one", "--csv", "--json", status=2).stderr
    table = evalplus_run("report", "one", "two").stdout.partition("example 1 (full), scores in %")[2]
    assert table.index("\nother: ") < table.index("100.0") < table.index("\nanswers: ") < table.index("50.0")
    shown = evalplus_run("compare", "one", "two").stdout
    assert "+50.0" in shown
    assert "B ahead on 1: Example/0" in shown
    (base, plus) = json.loads(evalplus_run("compare", "one", "two/eval_results.json", "--json").stdout)["pairs"]
    assert (base["suite"], plus["suite"]) == ("base", "plus")
    assert plus["result"]["first"] == 0.5
    assert "two runs at least" in evalplus_run("compare", "one", status=2).stderr
    assert "--k 2 or less" in evalplus_run("compare", "one", "two", "--k", "3", status=2).stderr
    assert "not a whole number" in evalplus_run("compare", "one", "two", "--k", "0", status=2).stderr
    no_strict = evalplus_run("compare", "one", "two/eval_results.json", "--profile", "strict", status=2).stderr
    assert "holds no strict verdicts" in no_strict


def test_the_sanitizer_alone_cleans_a_file(evalplus_run, tmp_path):
    row = {"task_id": "Example/0", "solution": f"Sure:\n```python\n{PROGRAMS['right']}print(1)\n```", "kept": 1}
    (tmp_path / "in.jsonl").write_text(json.dumps(row) + "\nnonsense\n")
    done = evalplus_run("sanitize", "in.jsonl", "out.jsonl", "--dataset", "example")
    (cleaned,) = rows(tmp_path / "out.jsonl")
    assert "1 sample sanitized" in done.stdout
    assert "line 2" in done.stdout
    assert cleaned["kept"] == 1
    assert "print" not in cleaned["solution"]
    assert "neither a file nor one of" in evalplus_run("sanitize", "a", "b", "--dataset", "nothing", status=2).stderr
    evalplus_run("sanitize", "in.jsonl", "cleaned/", "--dataset", "example")
    assert (tmp_path / "cleaned" / "in.jsonl").read_bytes() == (tmp_path / "out.jsonl").read_bytes()


def test_a_run_dir_of_other_samples_is_refused(evalplus_run, tmp_path):
    answers(tmp_path / "answers.jsonl", "right")
    evalplus_run(*REPLAY, "run_dir=run")
    done = evalplus_run(*REPLAY, "run_dir=run", "sampling.temperature=0.5", status=2)
    assert "holds samples of other settings" in done.stderr


def test_given_samples_do_not_overwrite_a_models_run(evalplus_run, tmp_path):
    answers(tmp_path / "answers.jsonl", "right")
    answers(tmp_path / "s.jsonl", "wrong", fenced=False)
    evalplus_run(*REPLAY, "run_dir=run")
    done = evalplus_run("samples=s.jsonl", "dataset=example", "run_dir=run", status=2)
    assert "holds samples of other settings" in done.stderr


def test_a_k_beyond_n_is_refused_before_anything_is_asked(evalplus_run, tmp_path):
    answers(tmp_path / "answers.jsonl", "right")
    assert "sampling.n=10 or more" in evalplus_run(*REPLAY, "k=[10]", status=2).stderr
    assert not (tmp_path / "outputs").exists()


@pytest.mark.parametrize("setting", ["top_k=40", "min_p=0.1"])
def test_a_way_of_sampling_that_would_be_dropped_is_refused(evalplus_run, tmp_path, setting):
    answers(tmp_path / "answers.jsonl", "right")
    done = evalplus_run(*REPLAY, f"sampling.{setting}", status=2)
    assert "are not passed on by model.kind=replay" in done.stderr
    assert not (tmp_path / "outputs").exists()


def test_all_runs_below_a_folder_are_reported(evalplus_run, tmp_path):
    answers(tmp_path / "s.jsonl", "right", fenced=False)
    evalplus_run("samples=s.jsonl", "dataset=example")
    evalplus_run("samples=s.jsonl", "dataset=example", "sanitizer=default")
    shown = evalplus_run("report", "outputs", "--full").stdout
    assert "sanitizer none" in shown
    assert "sanitizer default" in shown
    assert shown.count("Not comparable with published scores, because") == 2


def test_help_names_every_command_and_key(evalplus_run):
    text = evalplus_run("--help").stdout
    for name in ("report", "show", "sanitize", "doctor", "dataset.limit", "sampling.n", "model.base_url"):
        assert name in text


def test_the_doctor_judges_one_task_end_to_end(evalplus_run):
    assert "its reference passes" in evalplus_run("doctor").stdout


@pytest.mark.official
@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("humaneval_plus", "humaneval_plus-v0.1.10__qwen2.5-coder-0.5b-instruct_vllm_greedy.jsonl.gz"),
    ],
)
def test_the_recorded_verdicts_of_real_samples_come_out(evalplus_run, tmp_path, name, path):
    folder = os.environ.get("EVALPLUS_RUN_DATA")
    if not folder:
        pytest.skip("EVALPLUS_RUN_DATA names no folder with the official data")
    samples = Path(folder) / "verdicts" / path
    evalplus_run(f"samples={samples}", f"dataset={name}")
    recorded = {row["task_id"]: row for row in map(json.loads, gzip.open(samples))}
    for verdict in rows(the_run(tmp_path) / "verdicts.jsonl"):
        if verdict["task_id"] in ("HumanEval/15", "HumanEval/32", "HumanEval/83", "HumanEval/139"):
            continue
        for suite in ("base", "plus"):
            ours = verdict["evalplus"][suite]["outcome"] == "pass"
            assert ours == (recorded[verdict["task_id"]][f"{suite}_status"] == "pass"), (verdict["task_id"], suite)


BUBBLEWRAP_WITHOUT_WALLS = """#!/bin/sh
echo "$*" >> "{calls}"
while [ "$1" != "--" ]; do
    if [ "$1" = "--setenv" ]; then export "$2=$3"; fi
    shift
done
shift
exec "$@"
"""


def test_a_run_in_a_wrapper_says_so_and_its_verdicts_are_not_those_without(evalplus_run, tmp_path):
    calls = tmp_path / "calls"
    (tmp_path / "bwrap").write_text(BUBBLEWRAP_WITHOUT_WALLS.format(calls=calls))
    (tmp_path / "bwrap").chmod(0o755)
    path = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    answers(tmp_path / "samples.jsonl", "right", "wrong", "loops", "crashes", fenced=False)
    given = ("samples=samples.jsonl", "dataset=example", "evaluate.min_time_limit=1", "executor.workers=1")
    done = evalplus_run(*given, "sandbox.wrapper=bubblewrap", environment=path)
    assert " in bubblewrap" in done.stdout
    assert "supervisor" in calls.read_text()
    folder = the_run(tmp_path)
    within = {row["index"]: row for row in rows(folder / "verdicts.jsonl")}
    outcomes = {index: row["evalplus"]["base"]["outcome"] for index, row in within.items()}
    assert outcomes == {0: "pass", 1: "wrong", 2: "timeout", 3: "crash"}
    assert json.loads((folder / "manifest.json").read_text())["sandbox"]["wrapper"] == "bubblewrap"
    evalplus_run(*given)
    without = {row["index"]: row for row in rows(folder / "verdicts.jsonl")}
    assert {index: row["evalplus"]["base"]["outcome"] for index, row in without.items()} == outcomes
    assert all(without[index]["key"] != row["key"] for index, row in within.items())


def test_a_wrapper_that_is_not_there_is_wrong_use(evalplus_run, tmp_path):
    answers(tmp_path / "samples.jsonl", "right", fenced=False)
    empty = {"PATH": str(tmp_path)}
    done = evalplus_run(
        "samples=samples.jsonl", "dataset=example", "sandbox.wrapper=gvisor", status=2, environment=empty
    )
    assert "install gVisor" in done.stderr
    assert "Traceback" not in done.stderr
