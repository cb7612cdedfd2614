"""Settings of all tests, and the command as users start it."""

import os
import subprocess
import sys

import pytest
from hypothesis import settings
from warm_command import WarmCommand, is_cold

# The first example may import numpy, and the machine may be busy: no example has a deadline.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")


@pytest.fixture(scope="session")
def kept(tmp_path_factory):
    """The cache folder of all commands."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def environment(kept):
    """That of the command where a test starts it by itself."""
    return {**os.environ, "EVALPLUS_RUN_CACHE": str(kept)}


@pytest.fixture(scope="session")
def warm():
    """What starts the command without importing all of it each time."""
    command = WarmCommand()
    yield command
    command.close()


@pytest.fixture
def evalplus_run(tmp_path, kept, warm):
    """Runs the command in an empty folder."""

    def call(*arguments, status=0, environment=None):
        whole = {**os.environ, "EVALPLUS_RUN_CACHE": str(kept), **(environment or {})}
        done = _cold(arguments, tmp_path, whole) if is_cold(whole) else warm.run(arguments, tmp_path, whole, 300)
        assert done.returncode == status, done.stderr
        return done

    return call


def _cold(arguments, folder, environment):
    return subprocess.run(
        [sys.executable, "-m", "evalplus_run", *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        errors="surrogateescape",
        check=False,
        timeout=300,
    )
