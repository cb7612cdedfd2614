import pytest

from evalplus_run.records import UserError
from evalplus_run.sandbox import SandboxSettings, tiers
from evalplus_run.sandbox.worker import TierUnavailable


@pytest.fixture
def only(monkeypatch):
    """A machine on which only the named tiers start."""

    def allow(*names):
        monkeypatch.setattr(tiers, "why_not", lambda tier: "" if tier in names else f"no {tier} here")

    return allow


def test_the_strongest_tier_that_starts_is_taken(only):
    only("lockdown", "seccomp-only", "rlimits")
    assert tiers.choose_tier(SandboxSettings()) == "lockdown"


def test_a_tier_that_is_asked_for_and_does_not_start_is_refused_with_the_reason(only):
    only("lockdown")
    with pytest.raises(UserError, match="no namespaces here"):
        tiers.choose_tier(SandboxSettings(tier="namespaces"))


@pytest.mark.parametrize("settings", [SandboxSettings(), SandboxSettings(tier="rlimits")])
def test_resource_limits_alone_need_the_users_word(only, settings):
    only("rlimits")
    with pytest.raises(UserError, match=r"sandbox\.allow_unsafe=true"):
        tiers.choose_tier(settings)


def test_with_the_users_word_results_are_stamped(only):
    only("rlimits")
    tier = tiers.choose_tier(SandboxSettings(allow_unsafe=True))
    assert "UNSAFE" in tiers.warning(tier)


@pytest.mark.parametrize("tier", ["namespaces", "lockdown", "seccomp-only"])
def test_a_real_tier_is_not_warned_about(tier):
    assert tiers.warning(tier) == ""


def test_a_zygote_that_does_not_start_tells_its_last_words(monkeypatch):
    monkeypatch.setattr("evalplus_run.sandbox.worker._GUEST", "/nonexistent/guest")
    with pytest.raises(TierUnavailable, match="nonexistent"):
        tiers.Worker("lockdown")
