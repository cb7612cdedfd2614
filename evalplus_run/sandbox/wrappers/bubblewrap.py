"""bubblewrap (`bwrap`): namespaces made by a small audited program; needs no daemon and no root.

Source: bwrap(1). It limits neither memory nor processes: the tier inside does.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from evalplus_run.sandbox.wrappers.inside import SCRATCH, Inside, environment, hidden, packages, readable

_DEVICES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom")
"""Not bwrap's whole /dev: with a terminal in reach, keys could be typed into it."""


def missing(_image: str) -> str:
    """What this machine lacks, with the remedy; empty where it can be tried."""
    if shutil.which("bwrap") is None:
        return "there is no bwrap on the PATH: install bubblewrap (apt install bubblewrap)"
    return ""


@contextmanager
def around(inside: Inside) -> Iterator[list[str]]:
    """The command; bwrap leaves nothing behind."""
    folders = hidden()
    yield [
        "bwrap",
        *("--unshare-all", "--die-with-parent", "--cap-drop", "ALL", "--clearenv", "--chdir", "/"),
        *(word for name, value in environment().items() for word in ("--setenv", name, value)),
        *("--proc", "/proc", "--size", str(SCRATCH), "--tmpfs", "/tmp"),  # noqa: S108 - its own
        *(word for path in _DEVICES for word in ("--dev-bind", path, path)),
        *("--symlink", "/proc/self/fd", "/dev/fd"),
        *(word for path in readable() for word in ("--ro-bind", path, path)),
        *(word for path in folders for word in ("--tmpfs", path)),
        *(word for path in packages() for word in ("--ro-bind", path, path)),
        *(word for path in (*folders, "/") for word in ("--remount-ro", path)),
        "--",
        *inside.command(),
    ]
