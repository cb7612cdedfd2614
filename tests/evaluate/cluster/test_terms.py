"""On what terms nodes that differ judge one run."""

import pytest

from evalplus_run.evaluate.cluster.node import Node, Offer, versions
from evalplus_run.evaluate.cluster.terms import agree
from evalplus_run.records import UserError
from evalplus_run.sandbox.settings import SandboxSettings

VERSIONS = {"evalplus-run": "1", "Python": "3.11.7", "numpy": "2.4"}


def offer(tier="namespaces", memory=4 << 30, refusal="", **other):
    return Offer("host", VERSIONS | other, tier, memory, refusal)


def agreed(*offers):
    return agree(offers, VERSIONS, "none")


def test_all_nodes_judge_in_the_strongest_tier_that_all_have():
    terms = agreed(offer(), offer("lockdown"), offer("seccomp-only"))
    assert terms.tier == "seccomp-only"
    assert not terms.lacking(offer())


@pytest.mark.parametrize("unsafe", ["rlimits", "none"])
def test_a_node_that_isolates_nothing_is_left_out_where_others_do(unsafe):
    terms = agreed(offer("lockdown"), offer(unsafe))
    assert terms.tier == "lockdown"
    assert terms.lacking(offer(unsafe)) == f"it starts no lockdown, only {unsafe}"
    assert agreed(offer(unsafe), offer(unsafe)).tier == unsafe


def test_programs_have_as_much_memory_as_the_smallest_node_gives_and_a_smaller_one_comes_too_late():
    terms = agreed(offer(memory=3 << 30), offer(memory=2 << 30))
    assert terms.memory == 2 << 30
    assert "1024 MiB" in terms.lacking(offer(memory=1 << 30))


@pytest.mark.parametrize("name", VERSIONS)
def test_a_node_with_other_versions_is_left_out_by_their_names(name):
    odd = offer(**{name: "0.9"})
    assert agreed(offer(), odd).lacking(odd) == f"it has {name} 0.9 in place of {VERSIONS[name]}"


def test_where_no_node_can_judge_their_reasons_are_told():
    with pytest.raises(UserError, match="host: no namespaces here"):
        agreed(offer(refusal="no namespaces here"), offer(refusal="no namespaces here"))


def test_a_node_offers_what_it_has_tried_out():
    made = Node(1).offer(SandboxSettings(memory=64, allow_unsafe=True))
    assert (made.versions, made.memory, made.refusal) == (versions(), 64 << 20, "")
    refused = Node(1).offer(SandboxSettings(wrapper="docker", image="none:such"))
    assert "sandbox.wrapper=docker" in refused.refusal
