"""Outer wrappers around a tier, for those who want more: each in its own file, found by the name the user types.

A wrapper is a command line in front of the supervisor's. It needs two functions: `missing(image)`, what this machine
lacks for it and how to mend that, and `around(inside)`, a context manager that gives the command.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass

from evalplus_run.sandbox.settings import WrapperName
from evalplus_run.sandbox.wrappers import bubblewrap, docker, gvisor
from evalplus_run.sandbox.wrappers.inside import Inside


@dataclass(frozen=True, slots=True)
class Wrapper:
    """One kind of wrapper."""

    missing: Callable[[str], str]
    around: Callable[[Inside], AbstractContextManager[list[str]]]


# By the name in `sandbox.wrapper`.
WRAPPERS: Mapping[WrapperName, Wrapper] = {
    "bubblewrap": Wrapper(bubblewrap.missing, bubblewrap.around),
    "gvisor": Wrapper(gvisor.missing, gvisor.around),
    "docker": Wrapper(docker.missing, docker.around),
}
