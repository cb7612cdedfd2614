"""The tasks that the programs of the suite answer, one for each sort of value that can be lied about."""

from __future__ import annotations

from evalplus_run.records import Task


def tasks(secret: str) -> dict[str, Task]:
    """By name. Nobody can answer `sealed` who has not found the secret."""
    return {
        "number": _task("number", "def f(x):\n    return x * x + 1\n"),
        "text": _task("text", "def f(x):\n    return '<' + str(x * 7) + '>'\n"),
        "items": _task("items", "def f(x):\n    return [x, x + 1, x * 2]\n"),
        "table": _task("table", "def f(x):\n    return {'one': x, 'two': x * 2}\n"),
        "ratio": _task("ratio", "def f(x):\n    return x / 7\n"),
        "sealed": _task("sealed", f"SECRET = {secret!r}\ndef f(x):\n    return SECRET\n"),
        # The judge knows by id and entry point that the order does not count here, and takes iterators too.
        "members": Task(
            "Mbpp/2",
            "",
            "similar_elements",
            "def similar_elements(a, b):\n    return tuple(each for each in a if each in b)\n",
            (((3, 4, 5), (5, 4, 9)), ((1, 2), (2, 3))),
            (((7, 8, 9), (9, 8)),),
        ),
    }


def _task(name: str, reference: str) -> Task:
    return Task(f"Conformance/{name}", "", "f", reference, ((3,), (11,)), ((20,), (25,)))
