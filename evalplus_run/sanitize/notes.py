"""What the default sanitizer did, for people: short strings by short names."""

from __future__ import annotations

from evalplus_run.sanitize.candidates import Candidate
from evalplus_run.sanitize.definitions import Choice
from evalplus_run.sanitize.units import Unit

_LONGEST = 200  # characters


def notes_of(candidate: Candidate, choice: Choice) -> dict[str, str]:
    """The notes that have something to say."""
    notes = {
        "block": candidate.place,
        "reading": candidate.reading,
        "prompt_prepended": "true" if candidate.prompt_in_front else "",
        "dropped": _dropped(choice),
        "cut": "; ".join(unit.fault for unit in choice.kept if unit.cut),
        "syntax": "; ".join(unit.fault for unit in choice.kept if unit.fault and not unit.cut),
        "missing": ", ".join(sorted(choice.missing)),
    }
    return {name: note[:_LONGEST] for name, note in notes.items() if note}


def _dropped(choice: Choice) -> str:
    by_reason: dict[str, list[str]] = {}
    for reason, unit in choice.dropped:
        by_reason.setdefault(reason, []).append(_label(unit))
    return "; ".join(f"{reason}: {', '.join(labels)}" for reason, labels in by_reason.items())


def _label(unit: Unit) -> str:
    return ", ".join(sorted(unit.names.binds)) or unit.text.strip().split("\n")[-1].strip()[:40]
