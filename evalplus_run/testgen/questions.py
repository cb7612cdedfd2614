"""What a model is asked for one task's inputs, and the inputs in its answers."""

from __future__ import annotations

import hashlib
import textwrap
from collections import Counter
from collections.abc import Sequence
from typing import Any

from evalplus_run.records import Arguments, Completion, Message, Prompt, Task
from evalplus_run.sanitize.reasoning import set_reasoning_apart
from evalplus_run.testgen.ingredients import without_duplicates
from evalplus_run.testgen.kinds import Kind, fits
from evalplus_run.testgen.literals import inputs_in
from evalplus_run.testgen.signatures import parameter_names
from evalplus_run.testgen.values import key, size

_WANTED = 15
"""Inputs that one answer is asked for."""
_EXAMPLES = 6
_LONGEST_EXAMPLE = 600
"""Characters of an input that is shown."""
_ASKED = (
    ("hard", "hard: such that a program which is nearly right gets them wrong"),
    (
        "corner",
        "corner cases: the smallest and the largest, empty, equal, repeated and extreme values allowed",
    ),
    ("complex", "complex: long and varied, such that all parts of the function have to work together"),
)
"""What the inputs are to be like, in turn."""
_TEMPLATE = """\
A function is to be tested. This is a right implementation of it:

```python
{reference}
```
{text}{contract}{examples}
Write {count} more inputs that are {like}.
Each is a call of {name} on a line of its own, all of them in one ```python block and nothing beside it. Arguments have
the same types as above, and are written out as Python literals: no names, no operators, no calls (not "a" * 100).
"""
_TEXT = """
Its task in words:

{}
"""
_CONTRACT = """
These assertions hold for its arguments:

```python
{}
```
"""
_TESTED = """
It is tested on these inputs already:

```python
{}
```
"""
_STOP = ("\n```",)
"""For a model that goes on from the beginning of its answer."""

IDENTITY = hashlib.sha256(repr((_TEMPLATE, _TEXT, _CONTRACT, _TESTED, _ASKED, _WANTED, _EXAMPLES)).encode()).hexdigest()
"""Of the questions' words."""


def question(task: Task, index: int, *, chat: bool, system: str = "") -> Prompt:
    """The question number `index` for a task, whose base inputs and contract are at hand; each shows other inputs."""
    seeds = sorted(without_duplicates(task.base_inputs), key=lambda seed: (size(seed), key(seed)))
    shown = [call for call in (_call(task, seed) for seed in seeds) if len(call) <= _LONGEST_EXAMPLE]
    begin = index % len(shown) if shown else 0
    examples = "\n".join([*shown[begin:], *shown[:begin]][:_EXAMPLES])
    contract = textwrap.dedent(task.contract.strip("\n"))
    text = _TEMPLATE.format(
        reference=task.reference.strip(),
        text="" if task.asked in task.reference else _TEXT.format(task.asked),
        contract=_CONTRACT.format(contract) if contract.strip() else "",
        examples=_TESTED.format(examples) if examples else "",
        count=_WANTED,
        like=_ASKED[index % len(_ASKED)][1],
        name=task.entry_point,
    )
    if not chat:
        return Prompt(task.task_id, text=f"{text}\n```python\n", stop=_STOP)
    turns = (Message("user", text),)
    return Prompt(task.task_id, messages=(Message("system", system), *turns) if system else turns)


def answered(
    answers: Sequence[Completion], task: Task, kinds: Sequence[Kind]
) -> tuple[list[tuple[Arguments, tuple[str, ...]]], Counter[str]]:
    """The inputs in a model's answers, each with where it comes from, and how many others there were, by reason.

    An input has the kinds that the benchmark's own inputs, the signature and the contract tell.
    """

    def is_input(arguments: Arguments) -> bool:
        return len(arguments) in arities and all(map(fits, arguments, kinds))

    arities = {len(seed) for seed in task.base_inputs}
    parameters = parameter_names(task)
    refused: Counter[str] = Counter()
    found: list[tuple[Arguments, tuple[str, ...]]] = []
    for answer in sorted(answers, key=lambda each: each.index):
        text = set_reasoning_apart(answer.text).text
        inputs, others = inputs_in(text, task.entry_point, parameters, is_input)
        found += [(each, ("model", f"{_ASKED[answer.index % len(_ASKED)][0]} {answer.index}")) for each in inputs]
        refused += others
    return found, refused


def _call(task: Task, arguments: Arguments) -> str:
    return f"{task.entry_point}({', '.join(map(_written, arguments))})"


def _written(value: Any) -> str:
    """As Python writes it, but sets in an order of their own."""
    if isinstance(value, (set, frozenset)) and value:
        items = f"{{{', '.join(sorted(map(_written, value)))}}}"
        return items if isinstance(value, set) else f"frozenset({items})"
    if isinstance(value, list):
        return f"[{', '.join(map(_written, value))}]"
    if isinstance(value, tuple):
        return f"({', '.join(map(_written, value))}{',' * (len(value) == 1)})"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_written(each)}: {_written(part)}' for each, part in value.items())}}}"
    return key(value)
