# says: computes with dataclasses, enums, named tuples and protocols
# promise: passes
import enum
from dataclasses import asdict, dataclass, field
from typing import NamedTuple, Protocol


class Sized(Protocol):
    def size(self) -> int: ...


class Kind(enum.IntEnum):
    ONE = enum.auto()


class Pair(NamedTuple):
    left: int
    right: int = 1


@dataclass(order=True, slots=True)
class Square:
    side: int
    notes: list[str] = field(default_factory=list)

    def size(self) -> int:
        return self.side**2


def f(x):
    shape: Sized = Square(x)
    return shape.size() + Pair(0).right * Kind.ONE + len(asdict(Square(x))["notes"])
