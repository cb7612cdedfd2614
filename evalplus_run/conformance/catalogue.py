"""The programs of the suite and what is promised of each, read from their files.

A program is `programs/KIND/NAME.py`. Its first lines are comments `# FIELD: TEXT`:
  says     one sentence: what it tries
  promise  `passes`, `never passes`, `any outcome` (it is its traces that count), or outcomes, as `crash or exception`
  task     which of the suite's tasks it answers; `number` if nothing is said
  runs     how often it is judged, one time right after the other; once if nothing is said
  not in   tiers, with commas, whose policy refuses what the program needs
Words between at signs, as @TOKEN@, stand for what only the run knows: see `surroundings`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from evalplus_run.records import Outcome, Verdict
from evalplus_run.sandbox import TierName

_FOLDER = Path(__file__).parent / "programs"
_FIELD = re.compile(r"# ([a-z ]+): (.*)")
_FIELDS = {"says", "promise", "task", "runs", "not in"}


@dataclass(frozen=True, slots=True)
class Promise:
    """Which outcomes a program may have."""

    text: str
    allowed: frozenset[Outcome]

    @classmethod
    def of(cls, text: str) -> Promise:
        """Raises ValueError where the text names something else than outcomes."""
        # A fault of the host is never the right answer to a program.
        possible = frozenset(Outcome) - {Outcome.HOST_FAULT}
        named = {
            "passes": frozenset({Outcome.PASS}),
            "never passes": possible - {Outcome.PASS},
            "any outcome": possible,
        }
        return cls(text, named.get(text) or frozenset(Outcome(word) for word in text.split(" or ")))

    def broken_by(self, verdict: Verdict) -> Iterator[str]:
        """What of the verdict the promise does not allow: each suite counts, under each profile."""
        for profile in (verdict.evalplus, verdict.strict):
            for suite in (profile.base, profile.plus):
                if suite.outcome not in self.allowed:
                    yield f"{suite.outcome} ({suite.error or suite.got or 'all values right'}); promised: {self.text}"


@dataclass(frozen=True, slots=True)
class ConformanceProgram:
    """One program of the suite."""

    name: str
    """`KIND/NAME`."""
    says: str
    promise: Promise
    source: str
    task: str = "number"
    runs: int = 1
    not_in: frozenset[TierName] = frozenset()

    @property
    def kind(self) -> str:
        """What it has in common with others, one word."""
        return self.name.partition("/")[0]


def load_programs() -> list[ConformanceProgram]:
    """All of them, kind by kind."""
    return [_read(path) for path in sorted(_FOLDER.glob("*/*.py"))]


def parse(name: str, source: str) -> ConformanceProgram:
    """A program from its text; raises ValueError where its first lines do not say what they must."""
    fields = _fields(name, source)
    try:
        return ConformanceProgram(
            name,
            fields["says"],
            Promise.of(fields["promise"]),
            source,
            fields.get("task", "number"),
            int(fields.get("runs", "1")),
            frozenset(_tier(word.strip()) for word in fields.get("not in", "").split(",") if word),
        )
    except KeyError as error:
        raise ValueError(f"{name}: there must be a field {error}") from error
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from error


def _read(path: Path) -> ConformanceProgram:
    return parse(f"{path.parent.name}/{path.stem}", path.read_text(encoding="utf-8"))


def _fields(name: str, source: str) -> Mapping[str, str]:
    fields: dict[str, str] = {}
    for line in source.splitlines():
        found = _FIELD.fullmatch(line)
        if not found:
            break
        fields[found[1]] = found[2]
    unknown = fields.keys() - _FIELDS
    if unknown:
        raise ValueError(f"{name}: there is no field {', '.join(sorted(unknown))}")
    return fields


def _tier(word: str) -> TierName:
    tiers: tuple[TierName, ...] = get_args(TierName)
    for tier in tiers:
        if tier == word:
            return tier
    raise ValueError(f"there is no tier {word}")
