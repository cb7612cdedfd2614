"""What programs of several models tell of the tests that judged them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from evalplus_run.audit.findings import Finding, Kind
from evalplus_run.audit.models import Judged
from evalplus_run.audit.running import Did, Runner
from evalplus_run.judge import SuiteJudge, shorten
from evalplus_run.records import SUITES, Arguments, Task
from evalplus_run.report.text import call
from evalplus_run.report.text import shorten as shorten_text
from evalplus_run.words import counted

_SECONDS = 4.0
"""Of CPU time, that a program may take on one input."""
_FEW = 0.1
"""Of a task's tests: a program that fails no more than that is nearly right."""
_FEWEST_MODELS = 2
"""Who must agree on another answer: samples of one model agree on its own mistakes."""
_SHOWN = 80
"""Characters of a value or a call."""


@dataclass(frozen=True, slots=True)
class _Group:
    """Programs that return the same."""

    value: bytes
    programs: list[Judged]

    @property
    def models(self) -> int:
        """How many different ones they are of."""
        return len({each.model for each in self.programs})

    @property
    def told(self) -> str:
        """`2 programs of 2 models`."""
        return f"{counted(len(self.programs), 'program')} of {counted(self.models, 'model')}"


def find_other_answers(runner: Runner, task: Task, programs: Sequence[Judged]) -> Iterator[Finding]:
    """A finding for each test at which nearly right programs of several models agree on a value not the reference's.

    They may share a mistake; or the expected value is the mistake.
    """
    most = max(1.0, _FEW * sum(len(task.inputs(suite)) for suite in SUITES))
    nearly = [each for each in programs if each.is_nearly_right(most)]
    passing = len({each.model for each in programs if each.verdict.passed})
    for suite in SUITES:
        wrong = [each for each in nearly if each.failed(suite)]
        if len({each.model for each in wrong}) < _FEWEST_MODELS:
            continue
        tests = sorted({test for each in wrong for test in each.failed(suite)})
        inputs = [task.inputs(suite)[test] for test in tests]
        expected, values, judge = (
            runner.run(task, inputs),
            _values(runner, task, wrong, inputs),
            SuiteJudge(task, inputs),
        )
        for place, test in enumerate(tests):
            did = [(each, values[each.solution][place]) for each in wrong if test in each.failed(suite)]
            for group in _groups(judge, place, did):
                if group.models >= _FEWEST_MODELS:
                    reason = (
                        f"{group.told} agree on {shorten(group.value, _SHOWN)} in place of "
                        f"{shorten(expected[place].value, _SHOWN)} and are right nearly everywhere else; "
                        f"all tests are passed by {counted(passing, 'model')}"
                    )
                    weight = group.models / (group.models + passing + 1)  # two against none say less than five
                    yield Finding(Kind.ANOTHER_ANSWER, task.task_id, reason, suite, test, weight)


def find_undecided(
    runner: Runner, task: Task, programs: Sequence[Judged], others: Sequence[Arguments]
) -> Iterator[Finding]:
    """A finding where accepted programs return another value than the reference on inputs that no test has.

    The tests leave open what is right there. It tells of the input on which most programs agree with each other.
    """
    accepted = [each for each in programs if each.verdict.passed]
    expected, values, judge = (
        runner.run(task, others),
        _values(runner, task, accepted, others),
        SuiteJudge(task, others),
    )
    found: list[tuple[_Group, int]] = []
    for place, wanted in enumerate(expected):
        did = [(each, values[each.solution][place]) for each in accepted]
        differing = [(each, one) for each, one in did if not _is_same(judge, place, one, wanted)]
        found += [(group, place) for group in _groups(judge, place, differing)]
    if found:
        group, place = max(found, key=lambda each: (each[0].models, len(each[0].programs), -each[1]))
        reason = (
            f"{group.told}, of {len(accepted)} that pass all tests, give {shorten(group.value, _SHOWN)} at "
            f"{shorten_text(call(task.entry_point, others[place]), _SHOWN)}, "
            f"the reference {shorten(expected[place].value, _SHOWN)}"
        )
        weight = group.models / len({each.model for each in accepted})
        yield Finding(Kind.UNDECIDED, task.task_id, reason, weight=weight)


def _values(
    runner: Runner, task: Task, programs: Iterable[Judged], inputs: Sequence[Arguments]
) -> dict[str, list[Did]]:
    """By program."""
    solutions = dict.fromkeys(each.solution for each in programs)
    return {each: runner.run(task, inputs, program=each, seconds=_SECONDS) for each in solutions}


def _groups(judge: SuiteJudge, place: int, did: Iterable[tuple[Judged, Did]]) -> list[_Group]:
    """Programs by what they return; those that return nothing, or what is long, are in none."""
    groups: list[_Group] = []
    for program, one in did:
        if not one.value or one.is_digest:
            continue
        for group in groups:
            if one.value == group.value or judge.compare(place, one.value, group.value, judge.atol)[0].strict:
                group.programs.append(program)
                break
        else:
            groups.append(_Group(one.value, [program]))
    return groups


def _is_same(judge: SuiteJudge, place: int, did: Did, wanted: Did) -> bool:
    """Whether a program returned what the reference did, as far as that can be told without long values in full."""
    if not (did.value and wanted.value) or did.is_digest or wanted.is_digest:
        return True
    if did.value == wanted.value and not judge.distrusted([wanted.value]):
        return True
    return judge.compare(place, did.value, wanted.value, judge.atol)[0].strict
