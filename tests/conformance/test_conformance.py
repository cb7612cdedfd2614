"""Every program of the suite in every tier: the weight of the promise that no verdict can be forged."""

import functools
import os

import pytest

from evalplus_run.conformance import LOCKED_TIERS, conform, load_programs
from evalplus_run.sandbox import tiers

ALWAYS = "lockdown"
"""The tier of containers, and so of most runs; the others take a minute each and are run by hand."""

_ADDRESSED = "a datagram socket of a pair can send to any socket that has a path: sendto is let through with an address"
_FLAGS = "all programs share one open file for their standard streams, and with it the flags that fcntl sets"
_DEEP = "folders deeper than a path can name are not removed, and the zygote ends itself over it"
_MOVED = "listxattr fails with EPERM, where copy2, move and copytree forgive only that there are none"
_ENTERED = "chdir is not let through"
_IMPORTED = "modules that stand in no import statement of the program are not loaded before the lock"
KNOWN = {
    **{(tier, "network/pair_with_addresses"): _ADDRESSED for tier in LOCKED_TIERS},
    **{(tier, "messages/status_flags"): _FLAGS for tier in LOCKED_TIERS},
    **{(tier, "files/deep_tree"): _DEEP for tier in ("namespaces", "lockdown")},
    **{(tier, "harmless/files_moved"): _MOVED for tier in ("namespaces", "lockdown")},
    **{(tier, "harmless/folder_entered"): _ENTERED for tier in ("namespaces", "lockdown")},
    ("lockdown", "files/fill_without_names"): "files that are open and have no name are not counted",
    ("seccomp-only", "harmless/import_by_name"): _IMPORTED,
    ("seccomp-only", "harmless/lazy_imports"): _IMPORTED,
    ("seccomp-only", "harmless/time_zones"): "the files of time zones cannot be opened",
}
"""(tier, program) to the reason why its promise is not kept yet."""
if os.geteuid() != 0:
    KNOWN["namespaces", "kernel/threads_in_namespaces"] = "only root's powers are given up, not those in the namespace"


@functools.cache
def findings(tier):
    return {finding.program.name: finding for finding in conform(tier)}


def cases():
    for tier in LOCKED_TIERS:
        for program in load_programs():
            marks = [] if tier == ALWAYS else [pytest.mark.slow]
            if (tier, program.name) in KNOWN:
                marks.append(pytest.mark.xfail(strict=True, reason=KNOWN[tier, program.name]))
            if tier not in program.not_in:
                yield pytest.param(tier, program.name, marks=marks, id=f"{tier}-{program.name}")


@pytest.mark.parametrize(("tier", "name"), list(cases()))
def test_a_program_does_what_is_promised_of_it_and_no_more(tier, name):
    if reason := tiers.why_not(tier):
        pytest.skip(f"{tier} cannot be had here: {reason}")
    finding = findings(tier)[name]
    assert finding.broken == (), finding.program.says
