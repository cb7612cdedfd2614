"""A worker inside a wrapper, seen from outside: no process, descriptor or clock in there can be reached.

A supervisor in the wrapper runs a true worker and watches the clocks. Here its frames are followed by the same
rules as a program's own, since by then they may be just as hostile: they are values, numbers and one text.
"""

from __future__ import annotations

import marshal
import math
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, suppress
from dataclasses import asdict, replace
from typing import IO, Any

import msgspec

from evalplus_run.sandbox.any_worker import ChannelWorker, HostFault, TierUnavailable, WorkerDied, WorkerLost
from evalplus_run.sandbox.execution import Ending, Execution, Job
from evalplus_run.sandbox.frames import Course, Flood, FrameReader, OnBytes, OnFrame
from evalplus_run.sandbox.guest import protocol
from evalplus_run.sandbox.supervisor.serve import ENDED, HELLO
from evalplus_run.sandbox.wrappers.inside import Inside

Around = Callable[[Inside], AbstractContextManager[Sequence[str]]]
"""The command that starts what is inside in a wrapper; on leaving, whatever it left behind is removed."""

_READ_SIZE = 1 << 20
_PATIENCE = 60.0
"""Seconds that starting, and any single step, may take."""
_SLOWNESS = 20.0
"""The supervisor watches the limits. Only if it does not, or hangs, this many times the limit ends it."""
_LAST_WORDS = 2.0
"""Seconds in which whoever ends says why."""
_LONGEST_DETAIL = 200


class RemoteWorker(ChannelWorker):
    """A wrapper with a supervisor in it."""

    def __init__(self, inside: Inside, around: Around) -> None:
        """Start the wrapper with the supervisor in it; raises TierUnavailable with the reason."""
        super().__init__()
        self._left_behind = ExitStack()
        command = self._left_behind.enter_context(around(inside))
        try:
            self._process = _start(command)
        except OSError as error:
            self._left_behind.close()
            raise TierUnavailable(f"{command[0]} cannot be started: {error.strerror}") from error
        self._in, self._out = _stream(self._process.stdin), _stream(self._process.stdout)
        os.set_blocking(self._in.fileno(), False)
        try:
            self._read_hello()
        except BaseException:
            self.close()
            raise

    def kill(self) -> None:
        """As `AnyWorker` says."""
        if self._process.poll() is None:
            # It may end by itself meanwhile.
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def close(self) -> None:
        """As `AnyWorker` says."""
        self.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            _stream(stream).close()
        self._left_behind.close()

    def run(self, job: Job, on_frame: OnFrame, *, on_bytes: OnBytes | None = None) -> Execution:
        """As `AnyWorker` says."""
        course = Course(job.tests, on_frame, self._want_from, on_bytes)
        reader = FrameReader(job.max_bytes, in_full=bool(job.whole))
        try:
            self._send({"do": "run", "job": asdict(job)})
            return self._follow(course, reader, job)
        except BaseException as error:
            # Whatever it was, the program may still run, and its frames would be taken for the next one's.
            self.kill()
            self._process.wait()
            if isinstance(error, Flood):
                raise WorkerDied("what came out of the wrapper cannot be values") from error
            raise

    def _follow(self, course: Course, reader: FrameReader, job: Job) -> Execution:
        position, deadline = None, 0.0
        while True:
            if position != (position := (course.suite, course.test, course.suite_done)):
                deadline = time.monotonic() + _PATIENCE + _SLOWNESS * _limit(course, job)
            for kind, payload in reader.feed(self._read(deadline), course.skip):
                if kind == ENDED:
                    return _believed(payload, course, job.tests)
                if kind == protocol.NOT_BEGUN and course.test is None:
                    raise HostFault(protocol.parse_error(payload)[1])
                if not course.finished:
                    course.take(kind, payload)

    def _want_from(self, suite: int) -> None:
        self._send({"do": "want", "suite": suite}, WorkerDied)

    def _send(self, message: dict[str, Any], lost: type[WorkerLost] = HostFault) -> None:
        # Version 2 keeps no references: of two inputs that hold one list a program may change the first.
        data = marshal.dumps(message, 2)
        if self._process.poll() is not None:
            raise lost(self._last_words())
        view = memoryview(protocol.HEADER.pack(len(data)) + data)
        while view:
            if not _is_ready(self._in, select.POLLOUT, _PATIENCE):
                raise lost("the wrapper takes nothing any more")
            try:
                view = view[os.write(self._in.fileno(), view) :]
            except OSError as error:
                raise lost(self._last_words()) from error

    def _read(self, deadline: float) -> bytes:
        left = deadline - time.monotonic()
        # What comes without end and tells nothing is as good as silence.
        if left <= 0 or not _is_ready(self._out, select.POLLIN, left):
            self.kill()
            raise WorkerDied("nothing comes from the wrapper any more")
        data = os.read(self._out.fileno(), _READ_SIZE)
        if not data:
            raise WorkerDied(self._last_words())
        return data

    def _read_hello(self) -> None:
        deadline = time.monotonic() + _PATIENCE
        data = b""
        try:
            while len(data) < HELLO.size:
                data += self._read(deadline)
        except WorkerDied as error:
            raise TierUnavailable(str(error) or "its supervisor did not start") from error
        major, minor, numpy = HELLO.unpack_from(data)
        if (major, minor) != sys.version_info[:2]:
            raise TierUnavailable(
                f"it has Python {major}.{minor}, where programs would run otherwise than under this "
                f"{sys.version_info.major}.{sys.version_info.minor}"
            )
        if not numpy:
            raise TierUnavailable("it has no numpy, which programs may import")

    def _last_words(self) -> str:
        """The last line that came on standard error; a pipe, so that nobody in there can fill a disk."""
        errors = _stream(self._process.stderr)
        if not _is_ready(errors, select.POLLIN, _LAST_WORDS):
            return ""
        lines = os.read(errors.fileno(), _READ_SIZE).decode("utf-8", "replace").strip().splitlines()
        # Docker's last line is advice.
        return next((line for line in reversed(lines) if line and "--help" not in line), "")


def _start(command: Sequence[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        cwd="/",
        process_group=0,
    )


def _stream(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None  # noqa: S101 - for the type checker
    return stream


def _is_ready(stream: IO[bytes], event: int, seconds: float) -> bool:
    poller = select.poll()
    poller.register(stream, event)
    return bool(poller.poll(max(0.0, seconds) * 1000))


def _limit(course: Course, job: Job) -> float:
    if course.test is None or course.suite_done:
        return job.load_limit
    return job.limits[course.suite].tests[course.test]


def _believed(payload: bytes, course: Course, tests: Mapping[int, int]) -> Execution:
    """What the supervisor says of the end, as far as it can be; how far the program got is known here."""
    try:
        told = msgspec.json.decode(payload, type=Execution)
        os.waitstatus_to_exitcode(told.status)
    except (msgspec.MsgspecError, ValueError, OverflowError) as error:
        raise WorkerDied("what came out of the wrapper is no ending") from error
    seconds = (told.cpu_seconds, *told.suite_cpu_seconds.values(), *(spent for _, _, spent in told.slow_tests))
    possible = (
        all(math.isfinite(each) and each >= 0 for each in seconds)
        and all(suite in tests for suite in told.suite_cpu_seconds)
        and all(0 <= test < tests.get(suite, 0) for suite, test, _ in told.slow_tests)
        and (course.finished or told.ending is not Ending.FINISHED)
    )
    if not possible:
        raise WorkerDied("what came out of the wrapper is no ending of this program")
    # The program may have met a limit while it was being told that nothing more is wanted of it.
    ending = Ending.FINISHED if course.finished else told.ending
    return replace(told, ending=ending, suite=course.suite, test=course.test, detail=told.detail[:_LONGEST_DETAIL])
