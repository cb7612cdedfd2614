import pytest
from running import job

from evalplus_run.records import UserError
from evalplus_run.sandbox import SuiteLimits, tiers
from evalplus_run.sandbox.any_worker import TierUnavailable
from evalplus_run.sandbox.settings import SandboxSettings
from evalplus_run.sandbox.worker import Worker


@pytest.fixture
def only(monkeypatch):
    """A machine on which only the named tiers start."""

    def allow(*names):
        monkeypatch.setattr(tiers, "why_not", lambda tier, *_: "" if tier in names else f"no {tier} here")

    return allow


def test_the_strongest_tier_that_starts_is_taken(only):
    only("lockdown", "seccomp-only", "rlimits")
    assert tiers.choose_tier(SandboxSettings()) == "lockdown"


def test_a_tier_that_is_asked_for_and_does_not_start_is_refused_with_the_reason(only):
    only("lockdown")
    with pytest.raises(UserError, match="no namespaces here"):
        tiers.choose_tier(SandboxSettings(tier="namespaces"))


def test_resource_limits_alone_are_warned_about_loudly(only):
    only("rlimits", "none")
    assert "UNSAFE" in tiers.warning(tiers.choose_tier(SandboxSettings()))


@pytest.mark.parametrize("settings", [SandboxSettings(), SandboxSettings(tier="none")])
def test_no_isolation_at_all_needs_the_users_word(only, settings):
    only("none")
    with pytest.raises(UserError, match=r"sandbox\.allow_unsafe=true"):
        tiers.choose_tier(settings)


def test_with_the_users_word_results_are_stamped(only):
    only("none")
    tier = tiers.choose_tier(SandboxSettings(allow_unsafe=True))
    assert "UNSAFE" in tiers.warning(tier)


@pytest.mark.parametrize("tier", ["namespaces", "lockdown", "seccomp-only"])
def test_a_real_tier_is_not_warned_about(tier):
    assert tiers.warning(tier) == ""


def test_a_zygote_that_does_not_start_tells_its_last_words(monkeypatch):
    monkeypatch.setattr("evalplus_run.sandbox.worker._GUEST", "/nonexistent/guest")
    with pytest.raises(TierUnavailable, match="nonexistent"):
        Worker("lockdown")


@pytest.mark.parametrize("attempt", ["open(path).read()", "open(path, 'w')", "os.fork()", "socket.socket()"])
def test_with_limits_alone_no_file_opens_and_no_process_begins(attempt, tmp_path):
    secret = tmp_path / "dataset.jsonl"
    secret.write_text("expected")
    program = (
        f"import os, resource, socket\ndef f(path):\n    for fd in range(3): os.close(fd)\n"
        "    try: resource.setrlimit(resource.RLIMIT_NOFILE, (100, 100))\n    except (ValueError, OSError): pass\n"
        f"    {attempt}\n    return 'done'"
    )
    kinds = []
    with Worker("rlimits") as worker:
        worker.load("task", [[(str(secret),)]])
        worker.run(
            job(program, entry_point="f", limits={0: SuiteLimits([5.0], 5.0)}),
            lambda _suite, _test, kind, _payload: kinds.append(chr(kind)) or True,
        )
    assert kinds == ["S", "X"]
    assert secret.read_text() == "expected"
