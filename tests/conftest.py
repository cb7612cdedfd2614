"""Settings of all tests, and the command as users start it."""

import os
import subprocess
import sys

import pytest
from hypothesis import settings

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


@pytest.fixture
def evalplus_run(tmp_path, kept):
    """Runs the command in an empty folder."""

    def call(*arguments, status=0, environment=None):
        done = subprocess.run(
            [sys.executable, "-m", "evalplus_run", *arguments],
            cwd=tmp_path,
            env={**os.environ, "EVALPLUS_RUN_CACHE": str(kept), **(environment or {})},
            capture_output=True,
            text=True,
            errors="surrogateescape",
            check=False,
            timeout=300,
        )
        assert done.returncode == status, done.stderr
        return done

    return call
