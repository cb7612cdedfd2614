"""gVisor (`runsc`): a kernel of its own in user space between programs and this machine's.

Source: the OCI runtime specification for `config.json`, and `runsc flags`. gVisor has no Landlock, so the strongest
tier inside is usually `seccomp-only`. Its CPU clocks also count the time in which a program waits for a core: on a
machine that is busy with other things, limits come sooner; a time-out is tried again alone, as always.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from evalplus_run.sandbox.wrappers.inside import (
    PROCESSES,
    SCRATCH,
    Inside,
    environment,
    hidden,
    packages,
    readable,
)

_REMOVAL_SECONDS = 30


def missing(_image: str) -> str:
    """What this machine lacks, with the remedy; empty where it can be tried."""
    if shutil.which("runsc") is None:
        return "there is no runsc on the PATH: install gVisor (https://gvisor.dev/docs/user_guide/install)"
    return ""


@contextmanager
def around(inside: Inside) -> Iterator[list[str]]:
    """The command, on a bundle in a temporary folder; on leaving, the sandbox and the folder are gone."""
    with tempfile.TemporaryDirectory(prefix="evalplus-run-") as name:
        folder = Path(name)
        (folder / "root").mkdir()
        (folder / "config.json").write_text(json.dumps(_bundle(inside)), encoding="utf-8")
        runsc = ["runsc", *_flags(), f"--root={folder / 'state'}"]
        try:
            yield [*runsc, "run", f"--bundle={folder}", folder.name]
        finally:
            # Mostly it is gone already, or was never there.
            with suppress(OSError, subprocess.TimeoutExpired):
                removal = [*runsc, "delete", "--force", folder.name]
                subprocess.run(removal, capture_output=True, timeout=_REMOVAL_SECONDS, check=False)


def _flags() -> list[str]:
    flags = ["--network=none", "--log=/dev/null"]
    # Limits by control groups are root's to set; without them the tier inside limits each program.
    return flags if os.geteuid() == 0 else [*flags, "--rootless", "--ignore-cgroups"]


def _bundle(inside: Inside) -> dict[str, Any]:
    private = ["nosuid", "nodev", "noexec"]
    return {
        "ociVersion": "1.0.2",
        "process": {
            "args": inside.command(),
            "cwd": "/",
            "env": [f"{name}={value}" for name, value in environment().items()],
            "user": {"uid": os.getuid(), "gid": os.getgid()},
            "capabilities": {kind: [] for kind in ("bounding", "effective", "permitted", "inheritable", "ambient")},
            "noNewPrivileges": True,
        },
        "root": {"path": "root", "readonly": True},
        "mounts": [
            {"destination": "/proc", "type": "proc", "source": "proc"},
            {"destination": "/dev", "type": "tmpfs", "source": "tmpfs", "options": ["nosuid", "noexec"]},
            _memory("/tmp", f"size={SCRATCH}", *private),  # noqa: S108 - its own
            *map(_bind, readable()),
            *(_memory(path, "ro") for path in hidden()),
            *map(_bind, packages()),
        ],
        "linux": {
            "namespaces": [{"type": kind} for kind in ("pid", "network", "ipc", "uts", "mount")],
            "resources": {"memory": {"limit": inside.memory_of_all}, "pids": {"limit": PROCESSES}},
        },
    }


def _bind(path: str) -> dict[str, Any]:
    return {"destination": path, "type": "bind", "source": str(Path(path).resolve()), "options": ["rbind", "ro"]}


def _memory(path: str, *options: str) -> dict[str, Any]:
    return {"destination": path, "type": "tmpfs", "source": "tmpfs", "options": list(options)}
