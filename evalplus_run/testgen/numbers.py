"""Mutations of numbers: near, scaled, at boundaries, of another sign, with other digits."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from evalplus_run.testgen.ingredients import Ingredients
from evalplus_run.testgen.kinds import Scalar

_SMALL = 20
_LARGEST = 10**300

IntOperator = Callable[[int, Random, Ingredients], int]
FloatOperator = Callable[[float, Random, Ingredients], float]


def _near(value: int, rng: Random, _: Ingredients) -> int:
    return value + rng.choice((-1, 1, -1, 1, -2, 2, -3, 3, 5, -5, 10, -10))


def _scaled(value: int, rng: Random, _: Ingredients) -> int:
    return rng.choice((value * 2, value // 2, value * 3, value * 10, value // 10, value * value))


def _boundary(_: int, rng: Random, pantry: Ingredients) -> int:
    return rng.choice((0, 0, 1, -1, 2, 3, 10, 100, pantry.largest, -pantry.largest))


def _power(_: int, rng: Random, pantry: Ingredients) -> int:
    base = rng.choice((2, 3, 10))
    power = base
    for _step in range(rng.randrange(40)):
        if power * base > pantry.largest:
            break
        power *= base
    return power + rng.choice((-1, 0, 0, 1))


def _sign(value: int, _rng: Random, _pantry: Ingredients) -> int:
    return -value


def _far(_: int, rng: Random, pantry: Ingredients) -> int:
    """Of any order of magnitude, often just beside a round number."""
    number: int = rng.randint(1, 9) * 10 ** rng.randrange(len(str(pantry.farthest)))
    return number + (rng.choice((-1, 0, 1)) if rng.random() < 0.4 else rng.randrange(number))


def _seen_int(value: int, rng: Random, pantry: Ingredients) -> int:
    seen = pantry.of(Scalar("int"))
    return rng.choice(seen) + rng.choice((0, 0, 0, -1, 1)) if seen else value + 1


def _small(_: int, rng: Random, _pantry: Ingredients) -> int:
    return rng.randint(-_SMALL, _SMALL) if rng.random() < 0.5 else rng.randint(0, 2 * _SMALL)


def _anywhere(_: int, rng: Random, pantry: Ingredients) -> int:
    return rng.randint(-pantry.largest if rng.random() < 0.3 else 0, pantry.largest)


def _digits(value: int, rng: Random, _: Ingredients) -> int:
    """Another digit, one more or one less, or all of them the other way round."""
    digits = list(str(abs(value)))
    place = rng.randrange(len(digits))
    change = rng.randrange(5)
    if change == 0:
        digits[place] = rng.choice("0123456789")
    elif change == 1:
        digits.insert(place, rng.choice("0123456789"))
    elif change == 2:
        digits.reverse()
    elif change == 3:
        digits[place] = digits[-1]
    else:
        del digits[place]
    return int("".join(digits) or "0") * (-1 if value < 0 else 1)


INT_OPERATORS: dict[str, IntOperator] = {
    "near": _near,
    "scaled": _scaled,
    "boundary": _boundary,
    "power": _power,
    "sign": _sign,
    "far": _far,
    "seen": _seen_int,
    "small": _small,
    "anywhere": _anywhere,
    "digits": _digits,
}


def _near_float(value: float, rng: Random, _: Ingredients) -> float:
    return round(value + rng.choice((-1.0, 1.0, 0.5, -0.5, 0.1, -0.1, 0.01, -0.01, 10.0, -10.0)), 6)


def _scaled_float(value: float, rng: Random, _: Ingredients) -> float:
    return round(value * rng.choice((2.0, 0.5, 10.0, 0.1, 3.0, 100.0)), 6)


def _boundary_float(_: float, rng: Random, _pantry: Ingredients) -> float:
    return rng.choice((0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, 0.1, 1e-3, 1e-6, 100.0, 99.99))


def _sign_float(value: float, _rng: Random, _pantry: Ingredients) -> float:
    return -value


def _whole(value: float, rng: Random, _: Ingredients) -> float:
    return float(round(value)) + rng.choice((0.0, 0.0, 0.5, -0.5))


def _seen_float(value: float, rng: Random, pantry: Ingredients) -> float:
    seen = pantry.of(Scalar("float"))
    return rng.choice(seen) if seen else value + 1.0


def _anywhere_float(_: float, rng: Random, pantry: Ingredients) -> float:
    largest = float(min(pantry.largest, _LARGEST))
    return round(rng.uniform(-largest, largest) * rng.choice((1.0, 0.1, 0.01)), rng.randrange(5))


FLOAT_OPERATORS: dict[str, FloatOperator] = {
    "near": _near_float,
    "scaled": _scaled_float,
    "boundary": _boundary_float,
    "sign": _sign_float,
    "whole": _whole,
    "seen": _seen_float,
    "anywhere": _anywhere_float,
}
