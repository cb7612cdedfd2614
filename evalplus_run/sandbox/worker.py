"""One worker: a zygote in a process of its own, and one child at a time that it forks.

The worker belongs to one thread. It sends inputs and programs, reads frames, watches the child's clocks,
kills, and reports; what the values are worth is for the caller to say, test by test.
"""

from __future__ import annotations

import functools
import marshal
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, Literal

from evalplus_run.sandbox import scratch
from evalplus_run.sandbox.any_worker import ChannelWorker, HostFault, TierUnavailable, WorkerDied
from evalplus_run.sandbox.execution import Ending, Execution, Job, TierName
from evalplus_run.sandbox.frames import Course, FrameReader, OnBytes, OnFrame
from evalplus_run.sandbox.guest import protocol, selftest
from evalplus_run.sandbox.limits import MemoryLimits, TimeLimits
from evalplus_run.sandbox.memory import resident
from evalplus_run.sandbox.proc import read_small
from evalplus_run.sandbox.shared import SharedCounter, nameless
from evalplus_run.sandbox.watch import NotBegun, Orders, Watch

Stock = Literal["common", "all"]
"""See guest/stock.py."""
_GUEST = Path(__file__).parent / "guest"
_START_SECONDS = 60.0
_DYING_SECONDS = 0.5
_CPU_BACKSTOP = 24 * 3600
"""Seconds, should nobody watch any more."""
_RESERVED = 16
"""A program may reserve so many times the memory that it may have."""
KEPT_ENVIRONMENT = ("LD_LIBRARY_PATH", "OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "TZ")
_CLEAN_ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "PYTHONUTF8": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}


class Worker(ChannelWorker):
    """A zygote and its channels."""

    def __init__(
        self, tier: TierName, *, idle_priority: bool = False, hash_seed: int = 0, stock: Stock = "all"
    ) -> None:
        """Start the zygote and read its self-test.

        With `idle_priority` the programs run only when nothing else wants the cores (a local model that
        computes beside them). `hash_seed` moves the order of sets: it is always the same where programs are judged,
        so that no verdict changes from run to run. `stock` is what programs find imported. Raises TierUnavailable
        with the reason.
        """
        super().__init__()
        self.tier = tier
        self._held = ExitStack()
        """What is freed in close(), the last first."""
        try:
            self._open(idle_priority, hash_seed, stock)
            self._read_greeting()
        except BaseException as error:
            self.close()
            if isinstance(error, OSError):
                raise TierUnavailable(str(error)) from error
            raise

    def _open(self, idle_priority: bool, hash_seed: int, stock: Stock) -> None:
        hold = self._held.enter_context
        # In namespaces it is a file system of its own, which cannot grow.
        self._folder = scratch.make() if self.tier == "lockdown" else ""
        self._held.callback(scratch.remove, self._folder)
        self._shared = hold(closing(SharedCounter()))
        self._log = hold(tempfile.TemporaryFile())  # noqa: SIM115 - closed in close()
        self._control, theirs = socket.socketpair()
        hold(self._control)
        with theirs:
            descriptors = (theirs.fileno(), self._shared.descriptor)
            how = (self.tier, "idle" if idle_priority else "normal", stock, self._folder)
            self._process = _start([*map(str, descriptors), *how], descriptors, hash_seed, self._log)
        self._held.callback(self._process.wait)
        self._held.callback(self._process.kill)

    def kill(self) -> None:
        """As `AnyWorker` says."""
        self._process.kill()

    def close(self) -> None:
        """As `AnyWorker` says."""
        self._held.close()

    def run(
        self, job: Job, on_frame: OnFrame, *, on_bytes: OnBytes | None = None, orders: Orders | None = None
    ) -> Execution:
        """As `AnyWorker` says; where `on_frame` cannot answer at once, `orders` tell which suites are still wanted."""
        self._shared.set(min(job.limits))
        try:
            pid, handle, results = self._begin(job)
        except OSError as error:
            # Out of descriptors, or of room for the program's text.
            raise HostFault(str(error)) from error

        def leave(wanted: int) -> None:
            time.leave_suite()
            if not course.finished:  # else the child is killed at once
                self._shared.set(wanted)

        course = Course(job.tests, on_frame, leave, on_bytes)
        time = TimeLimits(pid, job, course)
        frames = FrameReader(job.max_bytes, in_full=bool(job.whole))
        watch = Watch(results, course, frames, time, MemoryLimits(pid, job.memory, self._folder), orders)
        killed = True
        try:
            ending, detail = watch.follow()
            killed = not (ending is Ending.DIED and _ended_by_itself(handle))
        except (NotBegun, OSError) as error:
            raise HostFault(str(error)) from error
        finally:
            _kill(pid, handle)
            os.close(results)
            status, cpu_seconds = self._reap()
        return Execution(
            ending, course.suite, course.test, status, killed, cpu_seconds, detail, tuple(time.slow), time.suite_cpu
        )

    def _begin(self, job: Job) -> tuple[int, int | None, int]:
        """A child for the program: its process id, its handle where there is one, and where its results come."""
        request = {
            "do": "run",
            "key": job.key,
            "entry_point": job.entry_point,
            "suites": list(job.limits),
            "address_space": job.memory * (_RESERVED if _residence_is_told() else 1),
            # The same for every try, since the program can read it.
            "cpu_seconds": _CPU_BACKSTOP,
            "collect": job.collect,
            "max_bytes": job.max_bytes,
            "digest_over": job.digest_over,
            "whole": list(job.whole),
        }
        readable, writable = os.pipe()
        try:
            try:
                with nameless(marshal.dumps(job.program)) as source:
                    self._send(request, writable, source.fileno())
            finally:
                os.close(writable)
            pid, handle = self._read_spawned()
        except BaseException:
            os.close(readable)
            raise
        return pid, handle, readable

    def _send(self, message: dict[str, Any], *descriptors: int) -> None:
        # Version 2 keeps no references: of two inputs that hold one list a program may change the first.
        data = marshal.dumps(message, 2)
        try:
            socket.send_fds(self._control, [protocol.HEADER.pack(len(data))], descriptors)
            self._control.sendall(data)
        except OSError as error:
            raise HostFault(self._last_words()) from error

    def _read_greeting(self) -> None:
        self._control.settimeout(_START_SECONDS)
        try:
            (open_doors,) = protocol.READY.unpack(self._receive(protocol.READY.size))
        except (WorkerDied, TimeoutError) as error:
            raise TierUnavailable(self._last_words() or "the zygote did not start") from error
        finally:
            self._control.settimeout(None)
        failed = open_doors & selftest.must_be_shut(self.tier)
        if failed:
            names = [name for i, name in enumerate(selftest.CHECKS) if failed >> i & 1]
            raise TierUnavailable(f"the self-test could still {', '.join(names)}")

    def _read_spawned(self) -> tuple[int, int | None]:
        try:
            message, handles, _, _ = socket.recv_fds(self._control, protocol.SPAWNED.size, 1)
        except OSError as error:
            raise HostFault(self._last_words()) from error
        if len(message) < protocol.SPAWNED.size:
            raise HostFault(self._last_words())
        if handles:
            return _pid_of(handles[0]), handles[0]
        pid = int(protocol.SPAWNED.unpack(message)[0])
        if pid < 0:
            raise HostFault(f"no process could be made: {os.strerror(-pid)}")
        if self.tier == "namespaces":
            # There the number is somebody else's here.
            raise HostFault("the child's descriptor got lost: too many files are open")
        return pid, None

    def _reap(self) -> tuple[int, float]:
        try:
            self._control.sendall(b"R")
        except OSError as error:
            raise WorkerDied(self._last_words()) from error
        status, cpu_seconds = protocol.REAPED.unpack(self._receive(protocol.REAPED.size))
        return int(status), float(cpu_seconds)

    def _receive(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            try:
                got = self._control.recv(size - len(data))
            except ConnectionError as error:
                raise WorkerDied(self._last_words()) from error
            if not got:
                raise WorkerDied(self._last_words())
            data += got
        return data

    def _last_words(self) -> str:
        """The last line that the zygote wrote to its standard error."""
        self._log.seek(0)
        lines = self._log.read().decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else ""


def _start(arguments: list[str], descriptors: tuple[int, int], hash_seed: int, log: Any) -> subprocess.Popen[bytes]:
    kept = {name: os.environ[name] for name in KEPT_ENVIRONMENT if name in os.environ}
    return subprocess.Popen(
        [sys.executable, "-s", "-P", "-B", str(_GUEST), *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=log,
        env={**kept, **_CLEAN_ENVIRONMENT, "PYTHONHASHSEED": str(hash_seed)},
        pass_fds=descriptors,
        cwd="/",
        # A group of its own and no session of its own: Linux weighs priorities only within a session.
        process_group=0,
    )


@functools.cache
def _residence_is_told() -> bool:
    return bool(resident(os.getpid()))


def _pid_of(handle: int) -> int:
    """The process id, in our own namespace, that a process file descriptor stands for."""
    for line in read_small(f"/proc/self/fdinfo/{handle}").splitlines():
        if line.startswith(b"Pid:"):
            return int(line.split()[1])
    raise HostFault("the kernel did not tell the child's process id")


def _ended_by_itself(handle: int | None) -> bool:
    """Whether a child that closed its result channel is dead, and not merely silent."""
    if handle is None:
        return True
    poller = select.poll()  # `select` takes no descriptor above 1023, which many workers reach
    poller.register(handle, select.POLLIN)
    # The channel closes a moment before the process counts as dead.
    return bool(poller.poll(_DYING_SECONDS * 1000))


def _kill(pid: int, handle: int | None) -> None:
    # Without a handle the number is safe too: the zygote reaps only when asked.
    try:
        if handle is None:
            os.kill(pid, signal.SIGKILL)
        else:
            signal.pidfd_send_signal(handle, signal.SIGKILL)
    except ProcessLookupError:
        pass
    finally:
        if handle is not None:
            os.close(handle)
