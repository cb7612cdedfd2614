"""Every program of the suite in every tier: the weight of the promise that no verdict can be forged."""

import functools

import pytest

from evalplus_run.conformance import LOCKED_TIERS, conform, load_programs
from evalplus_run.sandbox import tiers

ALWAYS = "lockdown"
"""The tier of containers, and so of most runs; the others take a minute each and are run by hand."""


@functools.cache
def findings(tier):
    return {finding.program.name: finding for finding in conform(tier)}


def cases():
    for tier in LOCKED_TIERS:
        for program in load_programs():
            marks = [] if tier == ALWAYS else [pytest.mark.slow]
            if tier not in program.not_in:
                yield pytest.param(tier, program.name, marks=marks, id=f"{tier}-{program.name}")


@pytest.mark.parametrize(("tier", "name"), list(cases()))
def test_a_program_does_what_is_promised_of_it_and_no_more(tier, name):
    if reason := tiers.why_not(tier):
        pytest.skip(f"{tier} cannot be had here: {reason}")
    finding = findings(tier)[name]
    assert finding.broken == (), finding.program.says
