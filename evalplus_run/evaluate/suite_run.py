"""One program on one suite, test by test, under both judge profiles at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain

from evalplus_run.evaluate.suites import Suite, value_length
from evalplus_run.judge import shorten
from evalplus_run.judge.decode import MAX_LENGTH
from evalplus_run.records import PROFILES, Outcome, ProfileName, SuiteVerdict
from evalplus_run.sandbox.guest import protocol

_LONG = "(a long value)"
_OUTCOME_OF_ERROR = {"MemoryError": Outcome.MEMORY}


@dataclass(slots=True)
class _Profile:
    """What is known under one profile: the first failure, and all of them."""

    failure: SuiteVerdict | None = None
    failed: list[int] = field(default_factory=list)


class SuiteRun:
    """Collects what a child tells about one suite, and says when nothing more needs to be known."""

    def __init__(self, suite: Suite, *, details: bool, whole: Mapping[int, bytes], first: Mapping[int, bytes]) -> None:
        """`whole` has expected values in full of tests of which `suite` has digests.

        `first` has the digests that an earlier run of the program sent: it may not think better of it.
        """
        self.suite = suite
        self.needs_whole: int | None = None
        """A test whose digest differs from the expected one: only the values can tell what that means."""
        self.sent = b""
        """The digest of what the program returned there."""
        self._details = details
        self._whole = whole
        self._first = first
        self._sample = suite.judge.open()
        self._judged = 0
        self._skipped: list[range] = []
        """Tests whose values were as expected, and that the judge of this sample has not heard of."""
        self._stopped = False
        self._profiles: dict[ProfileName, _Profile] = {name: _Profile() for name in PROFILES}

    @property
    def done(self) -> bool:
        """Whether every profile has its verdict."""
        return self._stopped or self._judged == len(self.suite.expected) or self._all_failed()

    def refuse(self) -> None:
        """No value is asked for in full any more: the one that was is wrong."""
        test, self.needs_whole = self.needs_whole, None
        if test is not None:
            self._wrong(test, None, (True, True), "it sent digests of values that are none")
        self.stop()

    def stop(self) -> None:
        """No more tests can be run."""
        self._stopped = True

    def take(self, test: int, kind: int, payload: bytes) -> bool:
        """One frame; whether to go on with this suite."""
        if test < 0:
            if kind != protocol.STARTED:
                self._load_failed(kind, payload)
            return True
        self._judged += 1
        if kind == protocol.RAISED:
            self._raised(test, payload)
        elif kind == protocol.TOO_LARGE:
            self.fail(Outcome.OUTPUT_TOO_LARGE, test, error="the value is larger than any expected one can be")
        elif kind == protocol.DIGEST:
            self._digest(test, payload)
        else:
            self._value(test, payload)
        return self.needs_whole is None and (self._details or not self._all_failed())

    def skip(self, test: int, data: bytearray, place: int) -> tuple[int, int]:
        """How many tests, and bytes at this place, are just what is expected: they count as taken."""
        if self._whole:
            return 0, 0
        tests, size = self.suite.stream.match(test, data, place)
        if tests:
            self._judged += tests
            self._skipped.append(range(test, test + tests))
        return tests, size

    def fail(self, outcome: Outcome, test: int | None, *, error: str = "", line: int | None = None) -> None:
        """Under every profile that has no failure yet (a test that is left out under one still cannot pass)."""
        for profile in self._profiles.values():
            _fail(profile, SuiteVerdict(outcome, test, error=error, line=line), test)

    def verdict(self, name: ProfileName, cpu_seconds: float) -> SuiteVerdict:
        """The verdict under one profile, once the child has ended and `done` is true."""
        profile = self._profiles[name]
        found = profile.failure or SuiteVerdict(Outcome.PASS)
        return SuiteVerdict(
            found.outcome,
            found.test,
            found.expected,
            found.got,
            found.error,
            found.line,
            round(cpu_seconds, 4),
            tuple(profile.failed) if self._details else None,
        )

    def _all_failed(self) -> bool:
        return all(profile.failure for profile in self._profiles.values())

    def _load_failed(self, kind: int, payload: bytes) -> None:
        if kind == protocol.NO_ENTRY_POINT:
            self.fail(Outcome.NO_ENTRY_POINT, None, error="the program defines no such function")
            return
        error, text, line = protocol.parse_error(payload)
        syntax = error.startswith("SyntaxError") or error in ("IndentationError", "TabError")
        outcome = Outcome.SYNTAX_ERROR if syntax else _OUTCOME_OF_ERROR.get(error, Outcome.EXCEPTION)
        self.fail(outcome, None, error=_join(error, text), line=line)

    def _raised(self, test: int, payload: bytes) -> None:
        error, text, line = protocol.parse_error(payload)
        outcome = _OUTCOME_OF_ERROR.get(error, Outcome.EXCEPTION)
        expected = self._expected_text(test)
        verdict = SuiteVerdict(outcome, test, expected=expected, error=_join(error, text), line=line)
        for name, profile in self._profiles.items():
            # What is left out under the strict profile cannot fail there.
            if name != "strict" or test not in self.suite.judge.excluded:
                _fail(profile, verdict, test)

    def _digest(self, test: int, payload: bytes) -> None:
        expected = self.suite.expected[test]
        if test in self.suite.digests and payload == expected:
            self._sample.accept_long(payload[protocol.DIGEST_HEAD.size :])
        elif test in self._whole:
            self._wrong(test, None, (True, True), "it sent a digest where the value was asked for")
        elif max(value_length(payload, True), value_length(expected, test in self.suite.digests)) > MAX_LENGTH:
            self._wrong(test, None, (True, True), "it differs, and is too long to be compared by value")
        else:
            self.needs_whole, self.sent = test, payload

    def _value(self, test: int, payload: bytes) -> None:
        if test in self.suite.digests and test not in self._whole:
            self.needs_whole, self.sent = test, protocol.digest_payload(payload)
            return
        if test in self._first and self._first[test] != protocol.digest_payload(payload):
            self._wrong(test, payload, (True, True), "it returned something else when it was run again")
            return
        expected = self._whole.get(test, self.suite.expected[test])
        self._tell_of_skipped()
        judgement = self._sample.judge(test, payload, expected)
        if not (judgement.evalplus and judgement.strict):
            self._wrong(test, payload, (not judgement.evalplus, not judgement.strict), judgement.reason)

    def _tell_of_skipped(self) -> None:
        """What was accepted before a test moves what EvalPlus lets pass there."""
        for test in chain.from_iterable(self._skipped):
            if self._sample.tolerates:
                break
            expected = self.suite.expected[test]
            if test in self.suite.digests:
                self._sample.accept_long(expected[protocol.DIGEST_HEAD.size :])
            else:
                self._sample.accept(test, expected)
        self._skipped.clear()

    def _wrong(self, test: int, payload: bytes | None, failed: tuple[bool, bool], reason: str = "") -> None:
        verdict: SuiteVerdict | None = None
        for name, is_failed in zip(PROFILES, failed, strict=True):
            if not is_failed:
                continue
            verdict = verdict or SuiteVerdict(
                Outcome.WRONG,
                test,
                expected=self._expected_text(test),
                got=shorten(payload) if payload else _LONG,
                error=reason,
            )
            _fail(self._profiles[name], verdict, test)

    def _expected_text(self, test: int) -> str:
        if test in self.suite.digests and test not in self._whole:
            return _LONG
        return shorten(self._whole.get(test, self.suite.expected[test]))


def _fail(profile: _Profile, verdict: SuiteVerdict, test: int | None) -> None:
    if test is not None:
        profile.failed.append(test)
    profile.failure = profile.failure or verdict


def _join(error: str, text: str) -> str:
    return f"{error}: {text}" if text else error
