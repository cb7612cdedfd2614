"""Results to sinks, each in a process of its own; a sink that fails is told aloud and loses nothing."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import IO

from evalplus_run import json_text
from evalplus_run.secret import is_secret, without_secrets
from evalplus_run.sinks.base import Told
from evalplus_run.sinks.registry import VARIABLES
from evalplus_run.sinks.settings import SinkName

_PATIENCE = 300.0
"""Seconds that a sink may take."""
_LONGEST_REASON = 300
_IN_ADDRESS = re.compile(r"//[^\s/@]+@")
_SHORTEST_SECRET = 6
"""Characters; what is shorter may stand anywhere by chance."""


@dataclass(frozen=True, slots=True)
class Sent:
    """What became of results that were sent."""

    taken: bool
    words: str
    """Where they are, or why they are not there."""


def send(name: SinkName, told: Told, patience: float = _PATIENCE) -> Sent:
    """Send to this sink, and wait for so many seconds at most."""
    # Files: the end of a pipe would be waited for as long as a process that the library leaves running holds it.
    with TemporaryFile() as answer, TemporaryFile() as printed:
        child = subprocess.Popen(
            [sys.executable, "-P", "-m", "evalplus_run.sinks", name],
            stdin=subprocess.PIPE,
            stdout=answer,
            stderr=printed,
            env=_environment(name),
            start_new_session=True,
        )
        try:
            child.communicate(json_text.encode(told), patience)
        except subprocess.TimeoutExpired:
            return _failure(name, f"no answer in {patience:g} s")
        finally:
            # Whatever the library has left running goes with it.
            with suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            child.wait()
        if child.returncode:
            return _failure(name, _shortened(_written(answer) or _written(printed) or "it ended without a word"))
        return Sent(True, f"{name}: {_written(answer)}")


def _failure(name: SinkName, why: str) -> Sent:
    return Sent(
        False,
        f"{name} did not take the results ({why}); they are all in the run's folder, and the same command sends them "
        "again.",
    )


def _environment(name: SinkName) -> dict[str, str]:
    """Without keys but the sink's own."""
    own = {key: value for key, value in os.environ.items() if key.startswith(VARIABLES[name])}
    return {**without_secrets(), **own}


def _written(file: IO[bytes]) -> str:
    """What was written there on one line, without any key, or name and password in an address."""
    file.seek(0)
    text = _IN_ADDRESS.sub("//…@", " ".join(file.read().decode(errors="replace").split()))
    for key, value in os.environ.items():
        if is_secret(key) and len(value) >= _SHORTEST_SECRET:
            text = text.replace(value, "…")
    return text


def _shortened(text: str) -> str:
    """Its end where it is long."""
    return text if len(text) <= _LONGEST_REASON else f"…{text[-_LONGEST_REASON:]}"
