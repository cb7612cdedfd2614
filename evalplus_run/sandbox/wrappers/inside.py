"""What is started in a wrapper, and what of this machine it needs to see."""

from __future__ import annotations

import importlib.util
import os
import site
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from evalplus_run.sandbox.execution import TierName
from evalplus_run.sandbox.worker import KEPT_ENVIRONMENT

PACKAGE = Path(__file__).parents[2]
PARTS = ("__init__.py", "errors.py", "sandbox")
"""Of this package, all that the supervisor imports; no dataset is among them."""

SCRATCH = 256 << 20
"""Bytes of the private /tmp."""
PROCESSES = 2048
"""Processes and threads: above what the supervisor lets a program start."""
_MEMORY_BESIDE = 1 << 30
"""Bytes that supervisor, zygote and a task's inputs take beside a program."""
_SYSTEM = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/share/zoneinfo")
_SYSTEM_FILES = ("/etc/alternatives", "/etc/ld.so.cache", "/etc/localtime")


@dataclass(frozen=True, slots=True)
class Inside:
    """A supervisor that is to be started."""

    tier: TierName
    memory: int
    """Bytes that one program may take."""
    idle_priority: bool = False
    hash_seed: int = 0
    image: str = ""
    """Of a container; empty for the usual one."""

    @property
    def memory_of_all(self) -> int:
        """Bytes for everything in the wrapper together: a backstop, since the tier limits each program."""
        return self.memory + _MEMORY_BESIDE

    def command(self, python: str = sys.executable, package: Path = PACKAGE) -> list[str]:
        """The supervisor's command line, with Python and this package where they are inside."""
        file = package / "sandbox" / "supervisor" / "__main__.py"
        priority = "idle" if self.idle_priority else "normal"
        return [python, "-s", "-P", "-B", str(file), self.tier, priority, str(self.hash_seed)]


def readable() -> Iterator[str]:
    """Paths of this machine that this Python needs, in the order in which they are to be laid over each other.

    The folders of `hidden` come between the first ones and those of `packages`.
    """
    for path in (*_SYSTEM, *_SYSTEM_FILES, sys.base_prefix, f"{sys.prefix}/pyvenv.cfg", sys.executable):
        if os.path.exists(path):  # noqa: PTH110 - a text as it is told to the wrapper
            yield path


def hidden() -> list[str]:
    """Folders within those of `readable` that are to be empty: installed packages, which may hold datasets."""
    return [path for path in site.getsitepackages([sys.base_prefix]) if Path(path).is_dir()]


def packages() -> list[str]:
    """Installed packages that are there all the same: numpy, and the parts of this one."""
    return [*(str(path) for path in numpy_folders()), *(str(PACKAGE / part) for part in PARTS)]


def numpy_folders() -> list[Path]:
    """Where numpy is installed, and beside it the libraries that it ships."""
    spec = importlib.util.find_spec("numpy")
    if spec is None or spec.origin is None:
        return []
    home = Path(spec.origin).parent
    libraries = home.with_name("numpy.libs")
    return [home, libraries] if libraries.is_dir() else [home]


def environment(*left_out: str) -> dict[str, str]:
    """The variables of this process that a worker needs; no others go in."""
    return {name: os.environ[name] for name in KEPT_ENVIRONMENT if name in os.environ and name not in left_out}
