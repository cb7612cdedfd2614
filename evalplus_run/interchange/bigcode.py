"""bigcode-evaluation-harness: `generations.json`, the programs of each task by its place in the benchmark."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evalplus_run.interchange.content import Content
from evalplus_run.interchange.form import Given, Recorded, texts_in


class BigcodeGenerations:
    """A list of lists of programs."""

    name = "generations of bigcode-evaluation-harness"
    judge = ""
    raw = False

    def fits(self, content: Content) -> bool:
        """One document, a list of lists."""
        first = content.first
        return content.whole and isinstance(first, list) and bool(first) and all(isinstance(x, list) for x in first)

    def samples(self, content: Content, tasks: Sequence[str]) -> Iterator[Given]:
        """The first list is the first task's; ValueError where there are more than tasks."""
        if len(content.first) > len(tasks):
            raise ValueError(
                f"it has answers to {len(content.first)} tasks by their place, where {len(tasks)} are known"
            )
        for task_id, answers in zip(tasks, content.first, strict=False):
            yield from (Given(task_id, text) for text in texts_in(answers))

    def recorded(self, content: Content) -> Recorded:
        """None: they were not judged."""
        raise ValueError("it holds programs that were not judged; judge them with samples=FILE")
