"""What the references of a benchmark return and how long they take: run once in the sandbox, then kept.

Values are kept by what they depend on (program, inputs, encoding, versions of Python and numpy); times are kept by
machine, tier and memory too, since there the reference has yet to show that it passes. A reference that fails, or that
does not pass against its own values when it is run a second time, stops the run: a broken judge never makes a score.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.metadata
import marshal
import platform
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from evalplus_run.benchmarks import RECORDER, recording_program
from evalplus_run.evaluate.judging import Rules, judge
from evalplus_run.evaluate.reference_run import reference_failed, run_reference
from evalplus_run.evaluate.suites import Expected, TaskTests, make_ready, times_matter
from evalplus_run.files import cache_folder, write_whole
from evalplus_run.judge import collects, decode, shorten
from evalplus_run.judge.values import Foreign, Malformed
from evalplus_run.records import SUITES, Arguments, Outcome, Program, SuiteName, Task
from evalplus_run.sandbox.any_worker import AnyWorker

_FORMAT = "5"
"""Raised whenever the encoding of values, or what is kept of them, changes."""


class _Kept(msgspec.Struct, frozen=True):
    """The file of one task."""

    inputs: bytes
    """The recorded base inputs, encoded, of a task that came with a check in place of inputs; else empty."""
    values: dict[SuiteName, list[bytes]]
    digests: dict[SuiteName, list[int]]


class _KeptTimes(msgspec.Struct, frozen=True):
    slow: dict[SuiteName, dict[int, float]]
    total: dict[SuiteName, float]


def prepare(worker: AnyWorker, task: Task, rules: Rules) -> TaskTests:
    """The task ready for judging, from what is kept or by running its reference; raises RunFailed."""
    key = _key(task)
    kept, times = _read_values(task, key), _read_times(key, rules)
    if kept is None or times is None:
        broken = (kept is None and _values_file(key).exists()) or (times is None and _times_file(key, rules).exists())
        kept, times = _run(worker, task, key, rules)
        tests = replace(_join(task, key, kept, times, rules), made_again=broken)
        _check(worker, tests, rules)
        _write(key, kept, times, rules)
        return tests
    return _join(task, key, kept, times, rules)


def timed_here(worker: AnyWorker, task: Task, key: str, expected: Expected, rules: Rules) -> Expected:
    """What a reference did on another machine, with the seconds that it takes on this one; raises RunFailed.

    It is run only where it is so slow that its time moves a limit.
    """
    if not times_matter(expected, rules.evaluate):
        return expected
    times = _read_times(key, rules)
    if times is None:
        times = _run(worker, replace(task, check=""), key, rules)[1]
        with contextlib.suppress(OSError):
            write_whole(_times_file(key, rules), msgspec.msgpack.encode(times))
    return replace(expected, cpu_seconds=_by_suite(times), total_cpu_seconds=times.total)


def with_recorded_inputs(task: Task) -> Task:
    """A task that came with a check, with the inputs that were recorded of it; unchanged where none are kept."""
    kept = _read_values(task, _key(task)) if task.check and not task.base_inputs else None
    return replace(task, base_inputs=_as_arguments(kept.inputs)) if kept and kept.inputs else task


def expected_texts(task: Task) -> Callable[[SuiteName, int], str]:
    """What tells of a test what the reference returns there, for people; empty where that is not kept here."""
    as_it_came = replace(task, base_inputs=()) if task.check else task
    kept = _read_values(as_it_came, _key(as_it_came))

    def of(suite: SuiteName, test: int) -> str:
        values = kept.values.get(suite, []) if kept else []
        is_whole = kept is not None and test < len(values) and test not in kept.digests.get(suite, [])
        return shorten(values[test]) if is_whole else ""

    return of


def _key(task: Task) -> str:
    digest = hashlib.sha256()
    versions = (_FORMAT, platform.python_version(), _numpy_version())
    for part in (*versions, task.reference, task.entry_point, task.check, str(collects(task))):
        digest.update(hashlib.sha256(part.encode("utf-8", "surrogatepass")).digest())
    # Version 2 writes equal values alike, whatever else refers to them.
    digest.update(marshal.dumps([task.base_inputs, task.plus_inputs], 2))
    return digest.hexdigest()


@functools.cache
def _numpy_version() -> str:
    try:
        return importlib.metadata.version("numpy")
    except importlib.metadata.PackageNotFoundError:
        return ""


def _join(task: Task, key: str, kept: _Kept, times: _KeptTimes, rules: Rules) -> TaskTests:
    if kept.inputs:
        task = replace(task, base_inputs=_as_arguments(kept.inputs))
    expected = Expected(
        {name: tuple(kept.values.get(name, ())) for name in SUITES},
        {name: frozenset(kept.digests.get(name, ())) for name in SUITES},
        _by_suite(times),
        times.total,
    )
    return make_ready(task, key, expected, rules.evaluate, rules.errata)


def _by_suite(times: _KeptTimes) -> dict[SuiteName, dict[int, float]]:
    return {name: times.slow.get(name, {}) for name in SUITES}


def _run(worker: AnyWorker, task: Task, key: str, rules: Rules) -> tuple[_Kept, _KeptTimes]:
    recorded = _record_inputs(worker, task, rules) if task.check else b""
    if recorded:
        task = replace(task, base_inputs=_as_arguments(recorded))
    suites = [(name, task.inputs(name)) for name in SUITES if task.inputs(name)]
    done = run_reference(worker, task, f"reference/{key}", [inputs for _, inputs in suites], memory=rules.memory)
    slow: dict[SuiteName, dict[int, float]] = {}
    for number, test, seconds in done.execution.slow_tests:
        slow.setdefault(suites[number][0], {})[test] = seconds
    total = {name: done.execution.suite_cpu_seconds.get(i, 0.0) for i, (name, _) in enumerate(suites)}
    values = {name: done.values[i] for i, (name, _) in enumerate(suites)}
    digests = {name: done.digests[i] for i, (name, _) in enumerate(suites)}
    return _Kept(recorded, values, digests), _KeptTimes(slow, total)


def _record_inputs(worker: AnyWorker, task: Task, rules: Rules) -> bytes:
    """The arguments that a task's own `check` calls its candidate with, encoded."""
    recorder = replace(task, reference=recording_program(task), entry_point=RECORDER)
    done = run_reference(worker, recorder, f"record/{task.task_id}", [((),)], memory=rules.memory, whole=[(0, 0)])
    return done.values[0][0]


def _as_arguments(recorded: bytes) -> tuple[Arguments, ...]:
    return tuple(tuple(_plain(argument) for argument in arguments) for arguments in decode(recorded))


def _plain(value: Any) -> Any:
    """With the dictionaries that the recorder made ordered ones, since the encoding sorts the keys of others."""
    match value:
        case Foreign(name="collections.OrderedDict"):
            return {key: _plain(item) for key, item in value.value.items()}
        case list() | tuple():
            return type(value)(map(_plain, value))
    return value


def _check(worker: AnyWorker, tests: TaskTests, rules: Rules) -> None:
    task = tests.task
    verdict = judge(worker, tests, Program(task.task_id, 0, task.reference), rules)
    for suite in (verdict.strict.base, verdict.strict.plus):
        if suite.outcome is not Outcome.PASS:
            raise reference_failed(
                task,
                f"run again, it is {suite.outcome} at test {suite.test}: {suite.error or suite.got} "
                f"in place of {suite.expected}",
            )


def _values_file(key: str) -> Path:
    return cache_folder("references") / f"{key}.values"


def _times_file(key: str, rules: Rules) -> Path:
    where = f"{platform.node()}/{platform.machine()}/{rules.tier}/{rules.wrapper}/{rules.image}/{rules.memory}"
    return cache_folder("references") / hashlib.sha256(where.encode()).hexdigest()[:12] / f"{key}.times"


def _read_times(key: str, rules: Rules) -> _KeptTimes | None:
    try:
        return msgspec.msgpack.decode(_read_bytes(_times_file(key, rules)) or b"", type=_KeptTimes)
    except msgspec.DecodeError:
        return None


def _read_values(task: Task, key: str) -> _Kept | None:
    """What is kept of the task, if it is whole."""
    try:
        kept = msgspec.msgpack.decode(_read_bytes(_values_file(key)) or b"", type=_Kept)
        whole = all(len(kept.values.get(name, ())) == _count(task, kept, name) for name in SUITES)
    except (msgspec.DecodeError, Malformed):
        return None
    return kept if whole else None


def _count(task: Task, kept: _Kept, name: SuiteName) -> int:
    return len(_as_arguments(kept.inputs)) if kept.inputs and name == "base" else len(task.inputs(name))


def _write(key: str, kept: _Kept, times: _KeptTimes, rules: Rules) -> None:
    # A cache that cannot be written is done without.
    with contextlib.suppress(OSError):
        write_whole(_values_file(key), msgspec.msgpack.encode(kept))
        write_whole(_times_file(key, rules), msgspec.msgpack.encode(times))


def _read_bytes(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None
