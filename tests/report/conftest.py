from dataclasses import replace

import pytest
from page_reader import Page

from evalplus_run.metrics.score import score
from evalplus_run.records import (
    Completion,
    Dataset,
    Outcome,
    ProfileVerdict,
    Program,
    SuiteVerdict,
    Task,
    Verdict,
)
from evalplus_run.report.html import write_html
from evalplus_run.report.page_data import RunPage
from evalplus_run.report.sample import Sample
from evalplus_run.report.summary import RunSummary, moved_samples


def _judged(base, plus):
    def suite(outcome):
        if outcome is Outcome.PASS:
            return SuiteVerdict(outcome)
        return SuiteVerdict(outcome, test=1, expected="3", got="None", error="TypeError: no", line=2)

    return ProfileVerdict(suite(base), suite(plus))


@pytest.fixture
def make_sample():
    """A judged sample of a task with two base tests and two plus tests."""

    def make(task_id="T/0", index=0, base=Outcome.PASS, plus=Outcome.PASS, strict=None, solution="def f(x): pass\n"):
        task = Task(task_id, "def f(x):\n", "f", "", ((1,), (2,)), (([1, 2],), ((3, {4}),)))
        evalplus = _judged(base, plus)
        verdict = Verdict(task_id, index, "", evalplus, evalplus if strict is None else _judged(*strict))
        return Sample(task, Program(task_id, index, solution), verdict, Completion(task_id, index, "raw " + solution))

    return make


@pytest.fixture
def make_dataset():
    """A dataset of the samples' tasks, in the order given."""

    def make(*samples):
        tasks = tuple({sample.task.task_id: sample.task for sample in samples}.values())
        return Dataset("custom", "v1", "full", "00", "0123456789abcdef", tasks, len(tasks), "a test")

    return make


@pytest.fixture
def make_summary():
    """The summary of a run that consists of these samples."""

    def make(*samples, tasks_in_dataset=None, **changes):
        verdicts = [sample.verdict for sample in samples]
        size = tasks_in_dataset or len({verdict.task_id for verdict in verdicts})
        summary = RunSummary(
            dataset="humaneval_plus",
            version="v0.1.10",
            variant="full",
            suites=("base", "plus"),
            model="a-model",
            sampling="greedy",
            sanitizer="evalplus",
            comparable=True,
            run_dir="/runs/humaneval_plus/a-model/greedy-1a2b3c4d",
            sandbox="namespaces",
            scores=score(verdicts, tasks_in_dataset=size),
            moved=moved_samples(verdicts),
        )
        return replace(summary, **changes)

    return make


@pytest.fixture
def build(tmp_path, make_summary):
    """The page of one run with these samples, parsed."""

    def run(*samples, manifest=None, digests=(), **changes):
        path = tmp_path / "report.html"
        write_html(path, [RunPage(make_summary(*samples, **changes), samples, manifest or {}, digests)])
        return Page(path.read_text(encoding="utf-8"))

    return run


@pytest.fixture
def build_several(tmp_path, make_summary):
    """The page of several runs, given by their names."""

    def run(**runs):
        path = tmp_path / "report.html"
        write_html(path, [RunPage(make_summary(*own, model=name), own, {}) for name, own in runs.items()])
        return Page(path.read_text(encoding="utf-8"))

    return run
