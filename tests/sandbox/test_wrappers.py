"""The command lines of the wrappers; and, where one is installed, programs in it."""

import json
import os
from itertools import pairwise
from pathlib import Path

import pytest
from plain_wrapper import wrapped
from running import job

import evalplus_run
from evalplus_run.judge import decode
from evalplus_run.records import UserError
from evalplus_run.sandbox import Ending, SuiteLimits, tiers
from evalplus_run.sandbox.guest import protocol
from evalplus_run.sandbox.settings import SandboxSettings
from evalplus_run.sandbox.wrappers import WRAPPERS, bubblewrap, docker, gvisor
from evalplus_run.sandbox.wrappers.inside import Inside, hidden, packages, readable

INSIDE = Inside("lockdown", 1 << 30)
PACKAGE = Path(evalplus_run.__file__).parent


def values_of(command, option):
    return [value for word, value in pairwise(command) if word == option]


@pytest.fixture
def tool(tmp_path, monkeypatch):
    """Puts an executable of this name first on the PATH; gives the file in which its calls are noted."""

    def install(name, script="exit 0"):
        calls = tmp_path / f"{name}.calls"
        (tmp_path / name).write_text(f'#!/bin/sh\necho "$@" >> {calls}\n{script}\n')
        (tmp_path / name).chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
        return calls

    return install


@pytest.fixture
def nothing_installed(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))


def test_no_dataset_and_no_installed_package_but_numpy_is_in_reach():
    shown = [Path(path) for path in (*readable(), *packages())]
    covered = [Path(path) for path in hidden()]
    for private in (PACKAGE / "benchmarks", PACKAGE / "judge", Path(json.__file__).parents[1] / "site-packages" / "x"):
        within = [path for path in shown if private.is_relative_to(path)]
        assert all(
            any(private.is_relative_to(cover) and cover.is_relative_to(path) for cover in covered) for path in within
        )
    assert {path.name for path in map(Path, packages())} <= {
        "numpy",
        "numpy.libs",
        "__init__.py",
        "errors.py",
        "sandbox",
    }
    assert not any(Path.home() == path or Path.home().is_relative_to(path) for path in shown)


def test_bubblewrap_binds_nothing_that_can_be_written_and_shares_nothing():
    with bubblewrap.around(INSIDE) as command:
        options = command[: command.index("--")]
    assert {"--unshare-all", "--die-with-parent", "--clearenv"} <= set(options)
    assert not {"--bind", "--bind-try", "--share-net", "--dev"} & set(options)
    assert values_of(options, "--cap-drop") == ["ALL"]
    assert set(values_of(options, "--dev-bind")) == {"/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"}
    # Every file system in memory but /tmp, the root too, is made unwritable once all is in its place.
    assert set(values_of(options, "--remount-ro")) == {*values_of(options, "--tmpfs"), "/"} - {"/tmp"}
    assert values_of(options, "--size") == [str(256 << 20)]


def test_the_bundle_of_gvisor_has_no_network_and_nothing_to_write_but_memory():
    with gvisor.around(INSIDE) as command:
        folder = Path(next(word for word in command if word.startswith("--bundle=")).partition("=")[2])
        bundle = json.loads((folder / "config.json").read_text())
    assert "--network=none" in command
    assert not folder.exists()
    assert bundle["root"]["readonly"]
    assert all("ro" in mount["options"] for mount in bundle["mounts"] if mount["type"] == "bind")
    memory = [mount for mount in bundle["mounts"] if mount["type"] == "tmpfs"]
    assert {mount["destination"] for mount in memory if "ro" not in mount["options"]} == {"/dev", "/tmp"}
    assert bundle["process"]["noNewPrivileges"]
    assert not any(bundle["process"]["capabilities"].values())
    assert bundle["linux"]["resources"]["memory"]["limit"] == INSIDE.memory_of_all > INSIDE.memory


def test_a_gvisor_sandbox_is_deleted_in_the_end(tool):
    calls = tool("runsc")
    with gvisor.around(INSIDE) as command:
        assert not calls.exists()
    assert f"delete --force {command[-1]}" in calls.read_text()


def test_a_container_has_no_network_no_capability_and_nothing_to_write_but_tmp(tool):
    tool("docker")
    with docker.around(INSIDE) as command:
        pass
    assert command[:3] == ["docker", "run", "--rm"]
    assert {"--read-only", "--interactive"} <= set(command)
    expected = {
        "--network": "none",
        "--cap-drop": "ALL",
        "--security-opt": "no-new-privileges",
        "--user": "65534:65534",
        "--log-driver": "none",
        "--pull": "never",
        "--memory": str(INSIDE.memory_of_all),
        "--memory-swap": str(INSIDE.memory_of_all),
        "--pids-limit": "2048",
    }
    assert {option: values_of(command, option)[0] for option in expected} == expected
    assert all(mount.endswith(",readonly") for mount in values_of(command, "--mount"))
    assert not {"--volume", "-v", "--privileged", "--device", "--tty"} & set(command)


def test_a_container_is_removed_by_its_name_whatever_becomes_of_the_client(tool):
    calls = tool("docker")
    with pytest.raises(KeyboardInterrupt), docker.around(INSIDE) as command:
        raise KeyboardInterrupt
    assert calls.read_text().strip() == f"rm --force {values_of(command, '--name')[0]}"


def test_an_image_of_ones_own_is_taken_with_its_own_numpy(tool):
    tool("docker")
    with docker.around(Inside("lockdown", 1 << 30, image="mine:1")) as command:
        assert "mine:1" in command
    assert not any("numpy" in mount for mount in values_of(command, "--mount"))


@pytest.mark.parametrize(
    ("name", "remedy"),
    [("bubblewrap", "install bubblewrap"), ("gvisor", "install gVisor"), ("docker", "install Docker")],
)
def test_a_wrapper_that_is_not_installed_is_wrong_use_with_the_remedy(name, remedy, nothing_installed):
    with pytest.raises(UserError, match=f"sandbox.wrapper={name} cannot be had.*{remedy}"):
        tiers.choose_tier(SandboxSettings(wrapper=name))


@pytest.mark.parametrize(
    ("script", "remedy"),
    [("exit 1", "daemon does not answer"), ('[ "$1" != image ]', r"docker pull python:3\.\d+-slim")],
)
def test_a_daemon_or_an_image_that_is_missing_is_told_with_the_remedy(tool, script, remedy):
    tool("docker", script)
    with pytest.raises(UserError, match=remedy):
        tiers.choose_tier(SandboxSettings(wrapper="docker"))


def test_a_wrapper_that_may_not_work_here_says_its_own_reason(tool):
    tool("bwrap", "echo 'bwrap: No permissions to create new namespace' >&2; exit 1")
    tiers.why_not.cache_clear()
    with pytest.raises(UserError, match="in bubblewrap: bwrap: No permissions to create new namespace"):
        tiers.choose_tier(SandboxSettings(wrapper="bubblewrap"))
    tiers.why_not.cache_clear()


def test_the_wrapper_is_told_beside_the_tier():
    assert tiers.words("lockdown", "bubblewrap") == "lockdown in bubblewrap"
    assert tiers.words("lockdown", "none") == "lockdown"


@pytest.mark.parametrize("tier", ["rlimits", "none"])
def test_what_is_not_isolated_within_a_wrapper_is_warned_about(tier):
    assert "UNSAFE: within docker" in tiers.warning(tier, "docker")
    assert tiers.warning("seccomp-only", "gvisor") == ""


@pytest.fixture(params=WRAPPERS)
def real(request):
    lacking = WRAPPERS[request.param].missing("")
    if lacking:
        pytest.skip(lacking)
    tier = tiers.strongest(request.param)
    if tier is None:
        pytest.skip(tiers.why_not("none", request.param))
    with wrapped(tier, WRAPPERS[request.param].around) as worker:
        worker.load("task", [[(1, 2), (3, 4)]])
        yield worker


def test_programs_run_in_the_real_wrapper(real):
    def run(program):
        values = []

        def on_frame(_suite, _test, kind, payload):
            if kind in (protocol.VALUE, protocol.RAISED):
                values.append(decode(payload) if kind == protocol.VALUE else protocol.parse_error(payload)[0])
            return True

        limits = {0: SuiteLimits([2.0, 2.0], 60.0)}
        execution = real.run(job(program, limits=limits, memory=512 << 20), on_frame)
        return execution.ending, values

    assert run("import numpy\ndef add(x, y): return int(numpy.add(x, y))") == (Ending.FINISHED, [3, 7])
    assert run("def add(x, y):\n    while True: pass") == (Ending.TIMEOUT, [])
    assert run("import os\ndef add(x, y): os._exit(0)") == (Ending.DIED, [])
    assert run("import time\ndef add(x, y):\n    time.sleep(600)") == (Ending.TIMEOUT, [])
    assert run("def add(x, y): return open('/etc/hostname').read()")[1][0].endswith("Error")
    assert run("import socket\ndef add(x, y): socket.socket()")[1] == ["PermissionError"] * 2
    assert run("def add(x, y): return x * y") == (Ending.FINISHED, [2, 12])
