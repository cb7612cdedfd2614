"""The sanitizer that gives EvalPlus's text."""

# ruff: noqa: E501 - a text in one line is easier to compare

import ast
import gzip
import json
import os
import sys
import warnings
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalplus_run.records import Completion, Task
from evalplus_run.sanitize import SanitizerSettings, sanitize
from evalplus_run.sanitize.evalplus import reduce_as_evalplus, window

LINES = """def f(x):|    return x|    \"\"\"Doc|    \"\"\"|\"\"\"|'''|x = 1|x = [1,|    2]|)|try:|    try:|    y = 2|        y = 3
except E:|    except E:|        pass|else:|finally:|@dec|class A:|    def g(self):|||  |# c|    # c|it isn't so|Step 1: go (on
"unclosed|Some prose|if x:|elif y:|    if z:|        w = f"{a b}"|print(1)|\tt = 1|for i in y: pass|x|Note:|with a as b:
match x:|    case 1:|print x|`x`|x = 5 5|    return (|lambda: 0|async def h():|    await z|}|x = {|```|x; y|   z = 1""".replace(
    "\n", "|"
).split("|")
TEXTS = st.lists(st.sampled_from(LINES), max_size=12).map("\n".join)


def is_python(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True


def window_by_trying_all(text: str) -> str:
    lines = text.split("\n")
    best, most = lines[:1], 0
    for first in range(len(lines)):
        for end in range(first + 2, len(lines) + 1):
            filled = sum(bool(line.strip()) for line in lines[first:end])
            if filled > most and is_python("\n".join(lines[first:end])):
                best, most = lines[first:end], filled
    return "\n".join(best)


@given(TEXTS)
def test_the_window_is_the_one_that_trying_all_finds(text):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert window(text).strip() == window_by_trying_all(text).strip()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def f(x):\n    return 1\n\ndef f(x):\n    return 2", "def f(x):\n    return 1"),
        ("x = 1\nx = 2\ndef f():\n    return x", "x = 1\ndef f():\n    return x"),
        ("def f():\n    pass\n\ndef f():\n    return 2", "def f():\n    return 2"),
        (
            "import os\nfrom sys import *\n\ndef f():\n    return 1\nprint(f())",
            "import os\nfrom sys import *\ndef f():\n    return 1",
        ),
        ("from __future__ import annotations\ndef f():\n    return 1", "def f():\n    return 1"),
        ("@cache\ndef f():\n    return 1\nimport os", "import os"),
        ("a, b = 1, 2\nc += 1\ndef f():\n    return a + c", "def f():\n    return a + c"),
        (
            "K: int = 2\ndef g():\n    return K\ndef f():\n    return g()",
            "K: int = 2\ndef g():\n    return K\ndef f():\n    return g()",
        ),
        ("def f():\n    return 1\n    # end\n# after\nx = 1", "def f():\n    return 1\n    # end"),
        ("def g():\n    return 1", "def g():\n    return 1"),
        ("Sure:\nno code here", "Sure:"),
        ("```python\ndef f(x): return x\n```", "```python"),
        ("\x1b[1mdef f(x):\x1b[0m\n    return x", "def f(x):\n    return x"),
        ("x.f = g\ndef f():\n    return g", "x.f = g\ndef f():\n    return g"),
        ("", ""),
    ],
)
def test_definitions_are_chosen_as_evalplus_does(text, expected):
    assert reduce_as_evalplus(text, "f") == expected


def test_a_text_that_no_parser_reads_is_reduced_all_the_same():
    assert reduce_as_evalplus("\0\n\ud800\n" + "(" * 1000, "f") == "\0"
    assert reduce_as_evalplus("x = " + "-" * 5000 + "1\ny = 2\nz = 3", "z") == "z = 3"


def rows(path: Path) -> list[dict]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@pytest.mark.official
@pytest.mark.skipif("EVALPLUS_RUN_DATA" not in os.environ, reason="EVALPLUS_RUN_DATA names no folder of official data")
@pytest.mark.parametrize("dataset", ["HumanEvalPlus", "MbppPlus"])
def test_real_answers_give_evalplus_text(dataset, monkeypatch):
    folder = Path(os.environ["EVALPLUS_RUN_DATA"])
    monkeypatch.setattr(sys, "set_int_max_str_digits", sys.set_int_max_str_digits)
    digits = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    tasks = {row["task_id"]: row for row in rows(folder / f"{dataset}.jsonl.gz")}
    sys.set_int_max_str_digits(digits)
    compared = 0
    for cleaned in sorted((folder / "raw").glob("*.evalplus-sanitized.jsonl.gz")):
        [raw] = [
            path
            for kind in ("raw", "completions")
            for path in cleaned.parent.glob(cleaned.name.replace("evalplus-sanitized", kind))
        ]
        for row, wanted in zip(rows(raw), rows(cleaned), strict=True):
            if row["task_id"] not in tasks:
                continue
            asked = tasks[row["task_id"]]
            task = Task(row["task_id"], asked["prompt"], asked["entry_point"], "", (), ())
            completion = Completion(row["task_id"], 0, row.get("solution", row.get("completion")))
            program = sanitize(
                completion, task, SanitizerSettings(name="evalplus"), prompt_in_front="completion" in row
            )
            assert program.solution.strip() == wanted["solution"].strip(), row["task_id"]
            compared += 1
    assert compared > 100
