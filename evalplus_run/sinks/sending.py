"""Results to sinks, each in a process of its own; a sink that fails is told aloud and loses nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress

from evalplus_run import json_text
from evalplus_run.models.environment import is_secret, without_secrets
from evalplus_run.sinks.base import Told
from evalplus_run.sinks.registry import VARIABLES
from evalplus_run.sinks.settings import SinkName

_PATIENCE = 300.0
"""Seconds that a sink may take."""
_LONGEST_REASON = 300
_SHORTEST_SECRET = 6
"""Characters; what is shorter may stand anywhere by chance."""


def send(names: Sequence[SinkName], told: Told, patience: float = _PATIENCE) -> Iterator[str]:
    """Send to one sink after the other: for each a sentence, of where the results are or why they are not there."""
    for name in names:
        yield _sent(name, told, patience)


def _sent(name: SinkName, told: Told, patience: float) -> str:
    child = subprocess.Popen(
        [sys.executable, "-P", "-m", "evalplus_run.sinks", name],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=_environment(name),
        start_new_session=True,
    )
    try:
        answer, printed = child.communicate(json_text.encode(told), patience)
    except subprocess.TimeoutExpired:
        return _failure(name, f"no answer in {patience:g} s")
    finally:
        # Whatever the library has left running goes with it.
        with suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()
    if child.returncode:
        return _failure(name, _reason(answer or printed))
    return f"{name}: {answer.decode(errors='replace')}"


def _failure(name: SinkName, why: str) -> str:
    return f"{name} did not take the results ({why}); they are all in the run's folder."


def _environment(name: SinkName) -> dict[str, str]:
    """Without keys but the sink's own."""
    own = {key: value for key, value in os.environ.items() if key.startswith(VARIABLES[name])}
    return {**without_secrets(), **own}


def _reason(told: bytes) -> str:
    """What was told on one line, its end where it is long, without any key."""
    text = " ".join(told.decode(errors="replace").split()) or "it ended without a word"
    for key, value in os.environ.items():
        if is_secret(key) and len(value) >= _SHORTEST_SECRET:
            text = text.replace(value, "…")
    return text if len(text) <= _LONGEST_REASON else f"…{text[-_LONGEST_REASON:]}"
