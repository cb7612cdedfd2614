"""What a command costs: CPU of its whole tree of processes, wall time, memory, and when its first result was there."""

from __future__ import annotations

import contextlib
import ctypes
import os
import platform
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_PR_SET_CHILD_SUBREAPER = 36
_LOOK_SECONDS = 0.005
_ORPHANS_END_SECONDS = 10.0


class CommandFailed(RuntimeError):
    """It ended with another status than 0, or left processes behind."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Of one run of a command."""

    cpu: float
    """Seconds, user and system, of the command and of all processes below it, killed and orphaned ones too."""
    own_cpu: float
    """Seconds, of the command's own process, as far as was seen."""
    wall: float
    """Seconds until the command ended."""
    first: float
    """Seconds until the watched file had content; `wall` where it never had."""
    peak: int
    """Bytes of resident memory at most, of the command's own process."""


def machine() -> str:
    """What the figures hang on."""
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    cores = len(os.sched_getaffinity(0))
    return f"{cores} cores of {platform.machine()}, load average {load}, Python {platform.python_version()}"


def run(command: Sequence[str], environment: Mapping[str, str], watched: Path | None = None) -> Cost:
    """Run a command to its end; CommandFailed with its last words.

    Orphans become children of this process, so that those count too whom their own parents never waited for (a
    zygote in namespaces is one).
    """
    _adopt_orphans()
    others = _children()
    with tempfile.TemporaryFile() as output:
        begun = time.monotonic()
        process = subprocess.Popen(
            command, env=dict(environment), stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
        )
        first, peak, own_cpu = 0.0, 0, 0.0
        while True:
            ended, status, used = os.wait4(process.pid, os.WNOHANG)
            now = time.monotonic() - begun
            if not first and watched is not None and _has_content(watched):
                first = now
            if ended:
                break
            peak, own_cpu = _peak(process.pid) or peak, _own_cpu(process.pid) or own_cpu
            time.sleep(_LOOK_SECONDS)
        process.returncode = os.waitstatus_to_exitcode(status)
        cpu = used.ru_utime + used.ru_stime + _reap_orphans(others)
        if process.returncode:
            output.seek(0)
            words = output.read().decode("utf-8", "replace")[-2000:]
            raise CommandFailed(f"{' '.join(command)} ended with {process.returncode}:\n{words}")
    return Cost(cpu, own_cpu, now, first or now, peak)


def _adopt_orphans() -> None:
    if ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0):
        raise OSError("this kernel gives no orphans to an ancestor: CPU times would not be whole")


def _reap_orphans(others: frozenset[int]) -> float:
    """CPU seconds of the orphans, all of which must end soon."""
    seconds = 0.0
    deadline = time.monotonic() + _ORPHANS_END_SECONDS
    while orphans := _children() - others:
        for orphan in orphans:
            ended, _, used = os.wait4(orphan, os.WNOHANG)
            if ended:
                seconds += used.ru_utime + used.ru_stime
        if time.monotonic() > deadline:
            raise CommandFailed(f"it left processes behind that go on running: {sorted(orphans)}")
        time.sleep(_LOOK_SECONDS)
    return seconds


def _children() -> frozenset[int]:
    return frozenset(
        int(pid) for file in Path("/proc/self/task").glob("*/children") for pid in file.read_text().split()
    )


def _has_content(path: Path) -> bool:
    with contextlib.suppress(OSError):
        return path.stat().st_size > 0
    return False


def _peak(pid: int) -> int:
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) << 10
    return 0


def _own_cpu(pid: int) -> float:
    with contextlib.suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return 0.0
