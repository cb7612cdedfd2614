"""Numbers in sentences."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """`1 task`, `1,234 tasks`: for nouns that take an s."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
