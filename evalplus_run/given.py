"""Samples that exist already: whole programs from elsewhere, to be judged."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from evalplus_run.config import Config
from evalplus_run.records import Completion, Dataset, Program, Task, UserError
from evalplus_run.sanitize import sanitize
from evalplus_run.sanitize.files import read_samples


@dataclass(frozen=True, slots=True)
class GivenSamples:
    """What a file or folder of samples holds for the tasks of this run."""

    programs: tuple[Program, ...]
    sha256: str
    left_out: int
    """Samples of tasks that this run does not look at."""
