"""Real result files in every form: the pass@k that they record is the one that is reported, to the digit.

`verdicts/` in the folder that EVALPLUS_RUN_DATA names holds verdicts that EvalPlus came to on published samples, and
INDEX.tsv how many of each file pass.
"""

import gzip
import json
import os
from fractions import Fraction
from math import comb
from pathlib import Path

import pytest

from evalplus_run.benchmarks.registry import RELEASES

DATA = Path(os.environ.get("EVALPLUS_RUN_DATA", "/nonexistent")) / "verdicts"
INDEX = [line.split("\t") for line in (DATA / "INDEX.tsv").read_text().splitlines()[1:]] if DATA.is_dir() else []
OLD_WORDS = {"pass": "success", "fail": "failed", "timeout": "timed out"}

pytestmark = [
    pytest.mark.official,
    pytest.mark.skipif(not INDEX, reason="EVALPLUS_RUN_DATA names no folder with recorded verdicts"),
]


def verdicts(name):
    """By task, the rows of one file."""
    by_task = {}
    for row in map(json.loads, gzip.decompress((DATA / name).read_bytes()).splitlines()):
        by_task.setdefault(row["task_id"], []).append(row)
    return by_task


def md5_of(name):
    dataset, _, version = name.partition("__")[0].rpartition("-")
    return next(each.md5 for each in RELEASES if (each.name, each.version) == (dataset, version))


def new_form(by_task, md5):
    more = {"base_fail_tests": [], "plus_fail_tests": []}
    return {
        "date": "2024-01-01 00:00",
        "hash": md5,
        "eval": {task: [r | more for r in rows] for task, rows in by_task.items()},
    }


def old_form(by_task, md5):
    def of(rows, suite):
        return [[OLD_WORDS[row[f"{suite}_status"]], [1]] for row in rows]

    tasks = {task: {"nfiles": len(r), "base": of(r, "base"), "plus": of(r, "plus")} for task, r in by_task.items()}
    return {"date": "2023-05-01 00:00", "hash": md5, "eval": tasks}


def base_only(by_task, md5):
    return new_form({task: [row | {"plus_status": None} for row in rows] for task, rows in by_task.items()}, md5)


def as_lines(rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


def human_eval(row):
    return {"task_id": row["task_id"], "completion": row["solution"], "passed": row["base_status"] == "pass"}


def lm_eval(row):
    doc = {"task_id": row["task_id"], "prompt": ""}
    return {"doc": doc, "resps": [[row["solution"]]], "pass@1": float(row["base_status"] == "pass")}


def inspect_log(rows):
    samples = [
        {
            "id": row["task_id"],
            "epoch": 1,
            "output": {"choices": [{"message": {"content": row["solution"]}}]},
            "scores": {"verify": {"value": "C" if row["base_status"] == "pass" else "I"}},
        }
        for row in rows
    ]
    return {"eval": {"model": "m", "created": "2024"}, "plan": {}, "samples": samples}


@pytest.fixture
def reported(evalplus_run, tmp_path):
    """What `report --json` says of each of these files, by their contents."""

    def report(*contents):
        for number, content in enumerate(contents):
            data = content if isinstance(content, bytes) else content.encode()
            (tmp_path / f"{number}").write_bytes(data)
        return json.loads(evalplus_run("report", *map(str, range(len(contents))), "--json").stdout)

    return report


def pass_at(run, suite, k=1):
    return run["scores"]["evalplus"][suite][str(k)]["value"]


@pytest.mark.parametrize("index", INDEX, ids=lambda index: index[0].removesuffix(".jsonl.gz"))
def test_the_recorded_pass_at_1_is_reported_to_the_digit_from_every_form(reported, index):
    name, samples, base, plus = index[0], *map(int, index[1:])
    by_task = verdicts(name)
    md5, rows = md5_of(name), [row for rows in by_task.values() for row in rows]
    both = reported(
        json.dumps(new_form(by_task, md5)),
        json.dumps(new_form(by_task, md5), indent=4),
        gzip.compress(json.dumps(new_form(by_task, md5)).encode()),
        json.dumps(old_form(by_task, md5)),
        (DATA / name).read_bytes(),
        as_lines(rows),
    )
    assert [(pass_at(run, "base"), pass_at(run, "plus")) for run in both] == [(base / samples, plus / samples)] * 6
    assert {run["version"] for run in both[:4]} == {name.partition("__")[0].rpartition("-")[2]}
    only = reported(
        json.dumps(base_only(by_task, md5)),
        as_lines(map(human_eval, rows)),
        gzip.compress(as_lines(map(lm_eval, rows)).encode()),
        json.dumps(inspect_log(rows)),
    )
    assert [(pass_at(run, "base"), run["suites"]) for run in only] == [(base / samples, ["base"])] * 4


def pass_at_k(counts, k):
    """The unbiased estimator as it stands in Chen et al. 2021, in whole numbers."""
    return float(sum(1 - Fraction(comb(n - c, k), comb(n, k)) for n, c in counts) / len(counts))


def test_several_samples_a_task_give_the_pass_at_k_that_the_definition_gives(reported):
    files = [verdicts(name) for name, *_ in INDEX if name.startswith("humaneval_plus-")]
    by_task = {task: [row for file in files for row in file[task]] * 2 for task in files[0]}
    unequal = {task: rows[: 10 + number % 3] for number, (task, rows) in enumerate(by_task.items())}
    md5 = md5_of("humaneval_plus-v0.1.10__")
    of_all, of_all_old, of_unequal = reported(
        json.dumps(new_form(by_task, md5)), json.dumps(old_form(by_task, md5)), json.dumps(new_form(unequal, md5))
    )
    for run, tasks in ((of_all, by_task), (of_all_old, by_task), (of_unequal, unequal)):
        for suites in (("base",), ("base", "plus")):
            passing = [
                (len(rows), sum(all(row[f"{suite}_status"] == "pass" for suite in suites) for row in rows))
                for rows in tasks.values()
            ]
            for k in (1, 10):
                assert pass_at(run, suites[-1], k) == pytest.approx(pass_at_k(passing, k), rel=1e-13)
    assert of_all["scores"]["evalplus"]["samples"] == 164 * 12


def test_two_recorded_runs_are_told_apart_by_the_exact_test(evalplus_run):
    first, second = (
        next(DATA / one for one, *_ in INDEX if name in one) for name in ("3b-base", "deepseek-coder-6.7b")
    )
    found = json.loads(evalplus_run("compare", first, second, "--json").stdout)
    for pair, suites in zip(found["pairs"], (("base",), ("base", "plus")), strict=True):
        ours, theirs = (
            {
                task: all(rows[0][f"{suite}_status"] == "pass" for suite in suites)
                for task, rows in verdicts(one.name).items()
            }
            for one in (first, second)
        )
        lost = sum(ours[task] and not theirs[task] for task in ours)
        won = sum(theirs[task] and not ours[task] for task in ours)
        tail = sum(comb(lost + won, i) for i in range(min(lost, won) + 1))
        assert pair["result"]["p_value"] == pytest.approx(
            float(min(1, Fraction(2 * tail, 2 ** (lost + won)))), rel=1e-12
        )
        assert (len(pair["first_ahead"]), len(pair["run_ahead"])) == (lost, won)
