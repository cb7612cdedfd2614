"""Mutations of texts: parts, repeats, case, white space, characters and words that were seen, numbers within."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from evalplus_run.testgen.ingredients import Ingredients
from evalplus_run.testgen.kinds import Scalar
from evalplus_run.testgen.numbers import INT_OPERATORS

TextOperator = Callable[[str, Random, Ingredients], str]

_SEEN_SHARE = 0.75
_NUMBER = re.compile(r"\d{1,15}")
_SPACE = re.compile(r"(\s+|,\s*)")
_LIKELY_CASE = 0.5


def _slice(text: str, rng: Random) -> tuple[int, int]:
    start, end = sorted((rng.randint(0, len(text)), rng.randint(0, len(text))))
    return start, end


def _part(text: str, rng: Random, _: Ingredients) -> str:
    start, end = _slice(text, rng)
    return text[start:end]


def _cut(text: str, rng: Random, _: Ingredients) -> str:
    start = rng.randint(0, len(text))
    return text[:start] + text[start + rng.choice((1, 1, 1, 2, 3)) :]


def _repeat(text: str, rng: Random, _: Ingredients) -> str:
    if rng.random() < 0.4:
        return text * rng.choice((2, 2, 3))
    start, end = _slice(text, rng)
    return text[:end] + text[start:end] * rng.choice((1, 1, 2)) + text[end:]


def _case(text: str, rng: Random, _: Ingredients) -> str:
    change = rng.randrange(5)
    if change == 0:
        return text.upper()
    if change == 1:
        return text.lower()
    if change == 2:
        return text.swapcase()
    if change == 3:
        return text.title()
    return "".join(c.swapcase() if rng.random() < _LIKELY_CASE else c for c in text)


def _space(text: str, rng: Random, _: Ingredients) -> str:
    change = rng.randrange(5)
    place = rng.randint(0, len(text))
    if change == 0:
        return text.strip()
    if change == 1:
        return f" {text}" if rng.random() < 0.5 else f"{text} "
    if change == 2:
        return re.sub(r"\s+", rng.choice(("", " ", "  ")), text)
    return text[:place] + rng.choice((" ", " ", "  ", "\n", "\t")) + text[place:]


def character(rng: Random, pantry: Ingredients) -> str:
    """Mostly one that the inputs have."""
    return rng.choice(pantry.alphabet if rng.random() < _SEEN_SHARE else pantry.rest)


def _insert(text: str, rng: Random, pantry: Ingredients) -> str:
    place = rng.randint(0, len(text))
    return text[:place] + "".join(character(rng, pantry) for _ in range(rng.choice((1, 1, 1, 2, 4)))) + text[place:]


def _replace(text: str, rng: Random, pantry: Ingredients) -> str:
    if not text:
        return character(rng, pantry)
    place = rng.randrange(len(text))
    new = rng.choice(text) if rng.random() < 0.4 else character(rng, pantry)
    if rng.random() < 0.2:
        return text.replace(text[place], new)
    return text[:place] + new + text[place + 1 :]


def _swap(text: str, rng: Random, _: Ingredients) -> str:
    characters = list(text)
    if len(characters) > 1:
        i, j = rng.randrange(len(characters)), rng.randrange(len(characters))
        characters[i], characters[j] = characters[j], characters[i]
    return "".join(characters)


def _turn(text: str, rng: Random, _: Ingredients) -> str:
    change = rng.randrange(4)
    if change == 0:
        return text[::-1]
    if change == 1:
        return text + text[::-1]  # a palindrome, which chance does not make
    if change == 2:
        return text + text[-2::-1]
    return "".join(sorted(text))


def _short(_: str, rng: Random, pantry: Ingredients) -> str:
    return "".join(character(rng, pantry) for _ in range(rng.choice((0, 1, 1, 1, 2, 2, 3))))


def _seen(text: str, rng: Random, pantry: Ingredients) -> str:
    seen = pantry.of(Scalar("str"))
    if not seen:
        return text
    other: str = rng.choice(seen)
    start, end = _slice(other, rng)
    place = rng.randint(0, len(text))
    change = rng.randrange(4)
    if change == 0:
        return other
    if change == 1:
        return text + other
    return text[:place] + other[start:end] + text[place if change == 2 else place + end - start :]


def _words(text: str, rng: Random, pantry: Ingredients) -> str:
    """One of them gone, twice, elsewhere, or another; what stands between them stays."""
    parts: list[str] = _SPACE.split(text)
    words = parts[::2]
    place, other = rng.randrange(len(words)), rng.randrange(len(words))
    change = rng.randrange(5)
    if change == 0:
        del parts[2 * place : 2 * place + 2]
    elif change == 1:
        parts[2 * place : 2 * place] = [words[place], parts[1] if len(parts) > 1 else " "]
    elif change == 2:
        parts[2 * place], parts[2 * other] = words[other], words[place]
    elif pantry.words:
        word = rng.choice(pantry.words)
        if change == 3:
            parts[2 * place] = word
        else:
            parts += [parts[1] if len(parts) > 1 else " ", word]
    return "".join(parts)


def _number_within(text: str, rng: Random, pantry: Ingredients) -> str:
    found = list(_NUMBER.finditer(text))
    if not found:
        return _insert(text, rng, pantry)
    one = rng.choice(found)
    operator = INT_OPERATORS[rng.choice(("near", "digits", "small", "boundary", "scaled", "seen"))]
    number = str(abs(operator(int(one.group()), rng, pantry)))
    padded = number.zfill(len(one.group())) if rng.random() < 0.5 else number
    return text[: one.start()] + padded + text[one.end() :]


def _emptied(_: str, _rng: Random, _pantry: Ingredients) -> str:
    return ""


TEXT_OPERATORS: dict[str, TextOperator] = {
    "part": _part,
    "cut": _cut,
    "repeat": _repeat,
    "case": _case,
    "space": _space,
    "insert": _insert,
    "replace": _replace,
    "swap": _swap,
    "turn": _turn,
    "short": _short,
    "seen": _seen,
    "words": _words,
    "number within": _number_within,
    "emptied": _emptied,
}
