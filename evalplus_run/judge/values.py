"""What a decoded value holds that is no plain builtin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

ForeignKind = Literal["numpy scalar", "numpy array", "subclass", "dict view", "bytearray", "iterable"]


class Malformed(Exception):
    """Bytes that the encoder does not write, or more of them than are compared by value."""


@dataclass(frozen=True, slots=True, eq=False)
class Opaque:
    """A value of which only the type's name is known. It equals nothing, itself included."""

    type_name: str

    def __eq__(self, other: object) -> bool:
        return False

    def __hash__(self) -> int:
        return id(self)


@dataclass(frozen=True, slots=True)
class Foreign:
    """A value of a type beside the plain builtins, with what it holds as plain values."""

    kind: ForeignKind
    name: str
    """The type's name; for numpy the dtype, such as `<f8`."""
    value: Any
    """Scalar: a Python number, str or bytes. Array: nested lists. Subclass: the base class's content.
    Dict view: a frozenset of keys, or a dict. Bytearray: bytes. Iterable: a list of what it gave."""

    def __hash__(self) -> int:
        # As the value itself hashes: what is refused for colliding stays refused when it is unwrapped.
        return hash(self.value)
