"""One part of a run's samples, where several processes share a run without knowing of each other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

from evalplus_run.records import SampleId, UserError

_FORM = re.compile(r"(\d{1,6})/(\d{1,6})")


@dataclass(frozen=True, slots=True)
class Shard:
    """Part `number` of `of` equal ones, counted from 1; 1 of 1 is the whole."""

    number: int = 1
    of: int = 1

    @classmethod
    def parse(cls, text: str) -> Self:
        """What `evaluate.shard` says; empty is the whole. Raises UserError."""
        if not text:
            return cls()
        found = _FORM.fullmatch(text)
        number, of = (int(found[1]), int(found[2])) if found else (0, 0)
        if not 1 <= number <= of:
            raise UserError(
                f"evaluate.shard={text} is no part i/n with i from 1 to n, as in evaluate.shard=1/4: "
                "an array of Slurm begins with 1 by --array=1-4."
            )
        return cls(number, of)

    def __str__(self) -> str:
        """As it is typed."""
        return f"{self.number}/{self.of}"

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left for others."""
        return self.of == 1

    def has(self, place: int, index: int) -> bool:
        """Whether a sample is of this part, by its task's place in the dataset and its own index.

        Neighbours go to different parts: each has its share of every task, the long ones too, and of every index.
        """
        return (place + index) % self.of == self.number - 1

    def others(self, task_ids: Sequence[str], n: int) -> Iterator[SampleId]:
        """The samples of all other parts, where each task has n."""
        for place, task_id in enumerate(() if self.is_whole else task_ids):
            for index in range(n):
                if not self.has(place, index):
                    yield task_id, index
