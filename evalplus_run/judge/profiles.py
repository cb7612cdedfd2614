"""Both judge profiles on the encoded values of one execution."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

from evalplus_run.judge.decode import decode
from evalplus_run.judge.evalplus import FLOAT_ATOL, compare
from evalplus_run.judge.oracles import Oracle, oracle_of
from evalplus_run.judge.revive import revive
from evalplus_run.judge.strict import difference, lower
from evalplus_run.judge.traits import begins_with_floats, equals_its_copy, made_of_floats
from evalplus_run.judge.values import Malformed
from evalplus_run.records import Arguments, Task


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one test says about one returned value."""

    evalplus: bool
    """Whether it passes under the profile of that name."""
    strict: bool
    reason: str = ""
    """Why it fails, in a few words; empty if it passes under both."""


PASSES = Judgement(True, True)

_SEEN = 1
_FLOATS = 2
"""The expected value switches EvalPlus's tolerance on."""
_EQUALITY = 4
"""Bytes equal to the expected ones pass under both profiles."""


class SuiteJudge:
    """Judges the values that programs return on one suite of one task; shared by samples and threads."""

    def __init__(self, task: Task, inputs: Sequence[Arguments], excluded: Container[int] = ()) -> None:
        """`excluded` are tests that always pass under `strict`: those that are wrong themselves."""
        self.excluded = excluded
        self.oracle: Oracle | None = oracle_of(task)
        self.atol = task.atol
        self.inputs = inputs
        self._traits = [0] * len(inputs)

    def open(self) -> SampleJudge:
        """A judge for one sample, which remembers what EvalPlus carries from test to test."""
        return SampleJudge(self)

    def traits(self, test: int, expected: bytes) -> int:
        """What is known of a test's expected value; worked out once."""
        known = self._traits[test]
        if not known:
            known = _SEEN | _FLOATS * made_of_floats(expected) | _EQUALITY * (not self.distrusted([expected]))
            self._traits[test] = known
        return known

    def distrusted(self, expected: Sequence[bytes]) -> list[int]:
        """Which of some expected values are such that what has the same bytes does not pass for sure."""
        if self.oracle and not self.oracle.trusts_equality:
            return [*range(len(expected))]
        return [place for place, payload in enumerate(expected) if not equals_its_copy(payload)]

    def compare(self, test: int, payload: bytes, expected: bytes, atol: float) -> tuple[Judgement, float]:
        """Judge by value. `atol` is EvalPlus's tolerance before the test; the one after it comes back."""
        try:
            wanted, out = decode(expected), decode(payload)
        except Malformed as error:
            return self._judgement(test, False, f"it differs and cannot be compared by value: {error}"), atol
        passed, atol = self._evalplus(test, out, wanted, atol)
        return self._judgement(test, passed, self._difference(test, out, wanted)), atol

    def _evalplus(self, test: int, out: object, wanted: object, atol: float) -> tuple[bool, float]:
        try:
            live, expected = revive(out), revive(wanted)
        except Exception:  # a content that no such object can have
            return False, atol
        oracle = self.oracle.evalplus if self.oracle else None
        return compare(live, expected, self.inputs[test], atol, oracle)

    def _difference(self, test: int, out: object, wanted: object) -> str:
        try:
            out, wanted = lower(out), lower(wanted)
            if self.oracle and self.oracle.strict:
                return self.oracle.strict(out, wanted, self.inputs[test], self.atol)
            return difference(out, wanted, self.atol)
        except (Malformed, RecursionError) as error:
            return f"it cannot be compared: {error}"

    def _judgement(self, test: int, evalplus: bool, difference: str) -> Judgement:
        strict = not difference or test in self.excluded
        if evalplus and strict:
            return PASSES
        return Judgement(
            evalplus, strict, difference or "not equal for EvalPlus, which compares types and exact values"
        )


class SampleJudge:
    """Judges the values of one sample on one suite, in the order of the tests."""

    __slots__ = ("_atol", "_suite")

    def __init__(self, suite: SuiteJudge) -> None:
        self._suite = suite
        self._atol = suite.atol

    def judge(self, test: int, payload: bytes, expected: bytes) -> Judgement:
        """Compare what the program returned with what the reference did, both encoded."""
        traits = self._suite.traits(test, expected)
        if traits & _EQUALITY and payload == expected:
            if traits & _FLOATS:
                self._atol = self._atol or FLOAT_ATOL
            return PASSES
        judgement, self._atol = self._suite.compare(test, payload, expected, self._atol)
        return judgement

    @property
    def tolerates(self) -> bool:
        """Whether floats may differ by now; what is accepted then changes nothing any more."""
        return self._atol > 0

    def accept(self, test: int, expected: bytes) -> None:
        """Take note of a test whose value is known to equal the expected one."""
        if self._suite.traits(test, expected) & _FLOATS:
            self._atol = self._atol or FLOAT_ATOL

    def accept_long(self, beginning: bytes) -> None:
        """The same for a value that is too long to be here, but for its beginning."""
        if begins_with_floats(beginning):
            self._atol = self._atol or FLOAT_ATOL
