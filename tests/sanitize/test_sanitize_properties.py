"""What holds for any text."""

# ruff: noqa: E501 - a text in one line is easier to compare

import ast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalplus_run.records import Completion, Outcome, Task
from evalplus_run.sanitize import SanitizerSettings, sanitize
from evalplus_run.sanitize.lines import Lines

PROMPTS = [
    "",
    'def f(x):\n    """Do it."""\n',
    'from typing import List\n\ndef g(x):\n    return 1\n\ndef f(x: List[int]):\n    """Do it."""\n',
    '"""\nDo it.\nassert f(1, 2) == 3\n"""\n',
]
LINES = """def f(x):|    return x|    \"\"\"Doc|    \"\"\"|\"\"\"|x = 1|T = []|T.append(1)|f.a = y|a, b = y|x += 1|import os
from __future__ import annotations|from math import *|from f import f|import f|try:|    y = 2|except E:|@f|@f.g(1)|class A:
    def f(self, x):|        return y|class Solution:|# c|    # c|it isn't so|Some prose|if x:|print(f(1))|async def f(x):
    await z|f = lambda q: q|f = f(3)|x = 1; y = 2|def g(z):|    return f(z) + T|    yield A|g(3)|def f(x): return g(x)|f[0] = y
```|```python|~~~|</s>|<think>|</think>|>>> def f(x):|...     return 1|if a &lt; b:|    return a &gt; b|user: hi
assistant: def f(x):|\t\treturn 1|\xa0x|“|\ufeff|\0|\ud800|\r|    return (|x = [|if __name__ == "__main__":|    print(3)|def f(x, y
<|im_end|>|<code>|</code>|> def f(x):|return x|    global T|print x|    print "a"|s = "```"|s = \"\"\"|x = "<think>"|&amp;amp;lt;
global f|nonlocal q|while True:|    input()|f: int|del f|with f as f: pass|match f:|    case 1:|eval("T")|[f for f in f]|\f""".replace(
    "\n", "|"
).split("|")
TEXTS = st.lists(st.sampled_from(LINES) | st.text(max_size=5), max_size=14).map("\n".join) | st.text()
REASONS = st.sampled_from(["stop", "length", "refusal", "error", "unknown"])


def sanitized(text, prompt="", finish_reason="unknown", name="default", front=False):
    completion = Completion("T/0", 0, text, finish_reason=finish_reason)
    return sanitize(
        completion, Task("T/0", prompt, "f", "", (), ()), SanitizerSettings(name=name), prompt_in_front=front
    )


@settings(max_examples=400)
@given(TEXTS, st.sampled_from(PROMPTS), REASONS, st.booleans())
def test_any_text_gives_a_program_or_an_outcome_and_the_program_is_its_own_sanitized_text(text, prompt, reason, front):
    program = sanitized(text, prompt, reason, front=front)
    assert (program.outcome is None) == (program.solution != "")
    assert sanitized(program.solution, prompt, reason).solution == program.solution
    assert sanitized(text, prompt, reason, front=front) == program
    assert all(isinstance(note, str) and len(note) <= 250 for note in program.notes.values())


@given(TEXTS, st.sampled_from(PROMPTS), st.booleans())
def test_the_other_sanitizers_take_any_text(text, prompt, front):
    for name in ("evalplus", "none"):
        program = sanitized(text, prompt, name=name, front=front)
        assert program.outcome is None or program.outcome is Outcome.EMPTY


BASE = """from collections import deque
import math
K = 3
A, B = 1, 2
T = [n for n in range(5)]
D = deque(T)
M: dict = {}
S = '''
```python
</think>
'''

def g(x):
    return x + K

def h(x):
    yield from range(x)

class C:
    k = K

    def m(self):
        return self.k + len(M)

"""
CHANGES = [
    "K = 4",
    "K += 1",
    "T.append(K)",
    "for n in range(3):\n    T.append(n * n)",
    "T += [7]",
    "A, B = B, A",
    "D.rotate(K)",
    "M[K] = g(K)",
    "del T[0]",
    "g.k = 9",
    "C.k += 1",
    "def g(x):\n    return x - K",
    "@lambda function: lambda x: function(x) * 2\ndef g(x):\n    return x * K",
    "def h(x):\n    return [x, K]",
    "try:\n    import missing_module\nexcept ImportError:\n    M = {1: 2}",
    'if K > 3:\n    S = "```"\nelse:\n    S = "<think>"',
    'S = "&lt;" + S',
    "g = (lambda old: lambda x: old(x) + 1)(g)",
    "import os.path, math",
    "while len(T) > 6:\n    T.pop()",
    "with open(__import__('os').devnull) as null:\n    A = null.read()",
    "K: int = 5",
    "if (B := K):\n    T.append(B)",
    "class C(C):\n    def m(self):\n        return -1",
    "# a note",
    "math.pi, K = 3, 2",
]
ENTRY = """
def f():
    return repr([K, A, B, T, D, M, S, g(2), getattr(g, "k", 0), list(h(2)), C().m(), C.k, math.floor(2.5)])
"""


@given(st.lists(st.sampled_from(CHANGES), max_size=8), st.lists(st.sampled_from(CHANGES), max_size=4))
def test_a_clean_program_behaves_as_before(before, after):
    changes = ["T.extend(range(9))", *before, ENTRY, *after]
    program = BASE + "\n".join(changes) + "\n"
    assert behaviour(sanitized(program).solution) == behaviour(program)


def behaviour(program):
    """Run a program that the test above made, which is harmless."""
    names = {"__name__": "program"}
    exec(compile(program, "program", "exec"), names)
    return names["f"]()


def answer(lines, kind):
    return {
        "prose": "Step 17: f isn't so, and we look (again) at it.\n" * lines
        + "```python\ndef f(x):\n    return x\n```",
        "prose and code": "We look at f(x) again.\ndef g(x):\n    y = x\n  return (y\n\nIt isn't so.\n\n" * (lines // 7)
        + "def f(x):\n    return g(x)\n",
        "assignments": "def f(x):\n" + "".join(f"    a{n} = {n}\n" for n in range(lines)) + "    return x\n",
        "constants": "".join(f"a{n} = [a{n - 1}]\n" for n in range(1, lines))
        + f"a0 = f\ndef f(x):\n    return a{lines - 1}\n",
        "open brackets": "see (f\n" * lines + "def f(x):\n    return x\n",
        "open blocks": "def f(x):\n    try:\n" + "        x = 1\n" * lines,
        "fences": "```\ndef f(x):\n    return 1\n```\nor\n" * (lines // 5),
        "strings": '"""f\n' * lines,
        "functions": "".join(f"def f{n}(x):\n    return f{n - 1}(x)\n" for n in range(1, lines // 2))
        + f"def f(x):\n    return f{lines // 2 - 1}(x)\n",
        "redefinitions": "def f(x):\n    return 1\n" * (lines // 2),
        "quotation": "> f it is\n" * lines,
        "reasoning": "<think>f</think>\n" * lines,
        "continued lines": "f = \\\n" * lines,
        "continued nothing": "\\\n" * lines,
        "continued and indented": "f:x = \\\nbreak\n " * (lines // 2),
        "elif": "if f:\n    x\n" + "elif x:\n    y\n" * (lines // 2),
        "else alone": "else: f\n" * lines,
    }[kind]


KINDS = ["prose", "prose and code", "assignments", "constants", "open brackets", "open blocks", "fences", "strings"]
KINDS += ["functions", "redefinitions", "quotation", "reasoning", "continued lines", "continued nothing"]
KINDS += ["continued and indented", "elif", "else alone"]


@pytest.mark.parametrize("name", ["default", "evalplus"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_work_grows_as_the_text_does(kind, name, monkeypatch):
    """Counted are the characters that are parsed, the lines that are looked at and the brackets that are followed."""
    work = 0

    def counted(function, size):
        def call(*args, **kwargs):
            nonlocal work
            work += size(*args)
            return function(*args, **kwargs)

        return call

    monkeypatch.setattr(ast, "parse", counted(ast.parse, lambda text, *_: len(text)))
    monkeypatch.setattr(Lines, "is_blank", counted(Lines.is_blank, lambda *_: 1))
    monkeypatch.setattr(Lines, "line_at", counted(Lines.line_at, lambda *_: 1))

    def work_for(lines):
        nonlocal work
        work = 0
        sanitized(answer(lines, kind), name=name)
        return work

    small, large = work_for(140), work_for(1400)
    monkeypatch.undo()
    assert large < 12 * small + 100
    assert large < 20 * len(answer(1400, kind))
