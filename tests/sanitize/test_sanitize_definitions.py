"""Which statements of a program stay."""

# ruff: noqa: E501 - a text in one line is easier to compare

import pytest

STAY = {
    "the later of two functions": ("def f(x):\n    return 1\n\ndef f(x):\n    return 2\n", "f(0) == 2"),
    "the later of two tables": ("T = [0]\nT = [2]\ndef f(x):\n    return T[0]\n", "f(0) == 2"),
    "a function over a variable": ("h = None\ndef h(x):\n    return 2\ndef f(x):\n    return h(x)\n", "f(0) == 2"),
    "an earlier function that is wrapped": (
        "def f(x):\n    return 1\nold = f\ndef f(x):\n    return old(x) + 1\n",
        "f(0) == 2",
    ),
    "a cached function": (
        "from functools import lru_cache\n@lru_cache(maxsize=None)\ndef f(n):\n    return n if n < 2 else f(n - 1) + f(n - 2)\n",
        "f(30) == 832040",
    ),
    "a cached helper": (
        "from functools import cache\n@cache\ndef h(n):\n    return 2\ndef f(n):\n    return h(n)\n",
        "f(0) == 2",
    ),
    "a dataclass": (
        "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\ndef f(n):\n    return P(n).x\n",
        "f(2) == 2",
    ),
    "a helper without return": (
        "def put(xs):\n    xs.append(2)\ndef f(x):\n    xs = []\n    put(xs)\n    return xs\n",
        "f(0) == [2]",
    ),
    "a generator": (
        "def g(n):\n    for i in range(n):\n        yield i\ndef f(n):\n    return list(g(n))\n",
        "f(2) == [0, 1]",
    ),
    "a coroutine": (
        "import asyncio\nasync def g(x):\n    return x\ndef f(x):\n    return asyncio.run(g(x))\n",
        "f(2) == 2",
    ),
    "a table filled by a loop": (
        "T = set()\nfor i in range(9):\n    T.add(i * i)\ndef f(n):\n    return n in T\n",
        "f(49)",
    ),
    "a table filled by a function": (
        "T = []\ndef fill(n):\n    for i in range(n):\n        T.append(i)\nfill(3)\ndef f(n):\n    return T\n",
        "f(0) == [0, 1, 2]",
    ),
    "a table filled through an argument": (
        "T = []\ndef fill(table):\n    table.append(2)\nfill(T)\ndef f(n):\n    return T\n",
        "f(0) == [2]",
    ),
    "a global that a function sets": (
        "def fill():\n    global T\n    T = 2\nfill()\ndef f(n):\n    return T\n",
        "f(0) == 2",
    ),
    "two calls of one function": (
        "T = []\ndef put(x):\n    T.append(x)\nput(1)\nput(2)\ndef f(n):\n    return T\n",
        "f(0) == [1, 2]",
    ),
    "a table ordered in place": (
        "import heapq\nT = [3, 1, 2]\nheapq.heapify(T)\ndef f(n):\n    return T[0]\n",
        "f(0) == 1",
    ),
    "a registry filled by decorators": (
        "R = {}\ndef known(g):\n    R[g.__name__] = g\n    return g\n@known\ndef two(x):\n    return 2\ndef f(x):\n    return R['two'](x)\n",
        "f(0) == 2",
    ),
    "implementations registered on the function": (
        "from functools import singledispatch\n@singledispatch\ndef f(x):\n    return 1\n@f.register(int)\ndef _(x):\n    return 2\n",
        "f(0) == 2",
    ),
    "a tuple of constants": ("LOW, HIGH = 0, 2\ndef f(x):\n    return max(LOW, min(HIGH, x))\n", "f(99) == 2"),
    "an augmented assignment": ("S = 'ab'\nS += S.upper()\ndef f(x):\n    return S\n", "f(0) == 'abAB'"),
    "an annotated constant": ("M: int = 2\ndef f(x: int) -> int:\n    return M\n", "f(0) == 2"),
    "a limit of recursion": (
        "import sys\nsys.setrecursionlimit(9000)\ndef f(n):\n    return 0 if n == 0 else 1 + f(n - 1)\n",
        "f(4000) == 4000",
    ),
    "a precision": (
        "from decimal import Decimal, getcontext\ngetcontext().prec = 3\ndef f(x):\n    return str(Decimal(1) / 3)\n",
        "f(0) == '0.333'",
    ),
    "a seed": ("import random\nrandom.seed(7)\ndef f(x):\n    return random.random()\n", "round(f(0), 3) == 0.324"),
    "an attribute of the function": ("def f(n):\n    return f.base + n\nf.base = 2\n", "f(0) == 2"),
    "an attribute set by name": ("def f(n):\n    return f.base + n\nsetattr(f, 'base', 2)\n", "f(0) == 2"),
    "an attribute of a class": ("class N:\n    pass\nN.k = 2\ndef f(n):\n    return N().k\n", "f(0) == 2"),
    "a base class": ("class A:\n    K = 2\nclass B(A):\n    pass\ndef f(x):\n    return B().K\n", "f(0) == 2"),
    "a guarded import": (
        "try:\n    from math import gcd\nexcept ImportError:\n    from fractions import gcd\ndef f(x):\n    return gcd(x, 4)\n",
        "f(6) == 2",
    ),
    "a guarded import that would exit": (
        "import sys\ntry:\n    import math as m\nexcept ImportError:\n    sys.exit(1)\ndef f(x):\n    return m.isqrt(x)\n",
        "f(4) == 2",
    ),
    "a conditional definition": (
        "import sys\nif sys.version_info >= (3, 0):\n    def f(x):\n        return 2\nelse:\n    def f(x):\n        return 1\n",
        "f(0) == 2",
    ),
    "an import of everything": ("from math import *\ndef f(n):\n    return floor(sqrt(n))\n", "f(8) == 2"),
    "an import after its use": ("def f(x):\n    return math.isqrt(x)\nimport math\n", "f(8) == 2"),
    "a submodule": ("import os\nimport os.path\ndef f(x):\n    return os.path.basename('a/b')\n", "f(0) == 'b'"),
    "a future import": (
        "from __future__ import annotations\ndef f(x: Unknown) -> Unknown:\n    return 2\n",
        "f(0) == 2",
    ),
    "an alias": ("def solve(x):\n    return 2\nf = solve\n", "f(0) == 2"),
    "a lambda": ("k = 2\nf = lambda x: k\n", "f(0) == 2"),
    "a wrapper": ("def f(x):\n    return 1\ndef more(g):\n    return lambda x: g(x) + 1\nf = more(f)\n", "f(0) == 2"),
    "a bound method": ("class Solution:\n    def f(self, x):\n        return 2\nf = Solution().f\n", "f(0) == 2"),
    "what an evaluated string names": ("def two():\n    return 2\ndef f(x):\n    return eval('two()')\n", "f(0) == 2"),
    "a function of the standard library": ("from math import gcd as f\n", "f(4, 6) == 2"),
    "statements on one line": ("import math; K = 2\ndef f(x): return K; print(3)\n", "f(0) == 2"),
    "a helper after its use": ("def f(x):\n    return h(x)\n\ndef h(x):\n    return 2\n", "f(0) == 2"),
    "a name changed by a walrus": ("if (K := 2):\n    pass\ndef f(x):\n    return K\n", "f(0) == 2"),
    "a table changed under another name": ("T = []\nU = V = T\nU.append(2)\ndef f(x):\n    return T[0]\n", "f(0) == 2"),
    "tables changed in a loop over them": (
        "T = []\nU = []\nfor t in (U, T):\n    t.append(2)\ndef f(x):\n    return T[0]\n",
        "f(0) == 2",
    ),
    "rows changed in a loop": (
        "G = [[0], [0]]\nfor i, row in enumerate(G):\n    row[0] = i\ndef f(x):\n    return G[1][0] + 1\n",
        "f(0) == 2",
    ),
    "a table filled through a bound method": (
        "T = []\nput = T.append\nfor i in range(3):\n    put(i)\ndef f(x):\n    return T[2]\n",
        "f(0) == 2",
    ),
    "a table filled through a lambda": (
        "T = []\nput = lambda x: T.append(x)\nput(2)\ndef f(x):\n    return T[0]\n",
        "f(0) == 2",
    ),
    "a table filled by a partial call": (
        "from functools import partial\nT = []\ndef put(table, x):\n    table.append(x)\ngo = partial(put, T)\ngo(2)\ndef f(x):\n    return T[0]\n",
        "f(0) == 2",
    ),
    "a table filled through a named argument": (
        "T = []\ndef fill(n, table):\n    table.append(n)\nfill(2, table=T)\ndef f(x):\n    return T[0]\n",
        "f(0) == 2",
    ),
    "a table filled within an expression": (
        "T = []\n[T.append(i) for i in range(3)]\ndef f(x):\n    return T[2]\n",
        "f(0) == 2",
    ),
    "a table of which an item is taken": ("T = [1, 2]\nfirst = T.pop(0)\ndef f(x):\n    return T[0]\n", "f(0) == 2"),
    "a counter": ("n = 1\ndef f(x):\n    global n\n    n += 1\n    return n\n", "f(0) == 2"),
    "what only a base class knows of": (
        "class A:\n    pass\nclass B(A):\n    K = 2\ndef f(x):\n    return A.__subclasses__()[0].K\n",
        "f(0) == 2",
    ),
    "a number context": (
        "from decimal import Context, Decimal, setcontext\nsetcontext(Context(prec=3))\ndef f(x):\n    return str(Decimal(1) / 3)\n",
        "f(0) == '0.333'",
    ),
    "a seed by its own name": (
        "from random import random, seed\nseed(7)\ndef f(x):\n    return random()\n",
        "round(f(0), 3) == 0.324",
    ),
    "an alias among others": ("def g(x):\n    return 2\nf, h = g, 3\n", "f(0) == 2"),
    "a comprehension over helpers": (
        "def h(i):\n    return i\nT = [h(i) for i in range(3)]\ndef f(x):\n    return T[2]\n",
        "f(0) == 2",
    ),
}


@pytest.mark.parametrize(("program", "check"), STAY.values(), ids=STAY.keys())
def test_what_the_entry_point_needs_stays(program, check, sanitized, fault_of):
    assert fault_of(program, f"assert {check}") == ""
    solution = sanitized(program + "\nprint(f(2))\nassert f(2) == 'no'\n").solution
    assert fault_of(solution, f"assert {check}") == ""
    assert "print(f(2))" not in solution and "'no'" not in solution


GO = {
    "prints": "print('demo', f(1))",
    "results": "result = f(1)\nprint(result)",
    "assertions": "assert f(1) == 3, 'wrong'",
    "a main guard": "if __name__ == '__main__':\n    import missing_module\n    missing_module.run(f)",
    "a guard the other way round": "if '__main__' == __name__:\n    raise SystemExit",
    "a call of main": "def main():\n    print(f(int(input())))\n\nmain()",
    "a loop over input": "while True:\n    print(f(input()))",
    "a question": "n = int(input('n? '))",
    "lines of standard input": "import sys\nfor line in sys.stdin.read().split():\n    print(f(line))",
    "an exit": "import sys\nsys.exit(f(1))",
    "a test class": "import unittest\nclass TestF(unittest.TestCase):\n    def test(self):\n        self.assertEqual(f(1), 5)\nunittest.main()",
    "test functions": "def test_f():\n    assert f(1) == 5\n\ntest_f()",
    "doctests": "import doctest\ndoctest.testmod()",
    "imports of packages that may be missing": "import missing_module\nfrom missing_module import thing",
    "an import of the solution itself": "from solution import f",
    "a result under the function's name": "f = f(1)\nprint(f)",
    "a loop over the function's name": "for f in range(3):\n    print(f)",
    "sleeping": "import time\ntime.sleep(100)",
    "threads": "import threading\nthreading.Thread(target=f, args=(1,)).start()",
    "benchmarks": "import timeit\nprint(timeit.timeit('f(1)', globals=globals()))",
    "a broken test": "def test_f():\n    assert f(1) == [",
    "an unfinished string": "assert f('a') == 'unfin",
    "a print of Python 2": "print f(1)",
    "an expression too deep to parse": "z = " + "-" * 3000 + "1",
    "words": "Done",
    "a picture": "import missing_module\nmissing_module.gca().title = 'f'",
}


@pytest.mark.parametrize("tail", GO.values(), ids=GO.keys())
def test_what_nobody_needs_goes(tail, sanitized, fault_of):
    program = "def f(x):\n    return 2\n"
    solution = sanitized(f"{program}\n{tail}\n").solution
    assert solution == program
    assert fault_of(solution, "assert f(1) == 2") == ""


def test_a_demonstration_with_a_cache_goes(sanitized):
    program = "memo = {}\n\ndef f(n):\n    memo[n] = n\n    return memo[n]\n"
    assert sanitized(f"{program}\nresult = f(10)\nprint(f(3))\n").solution == program


@pytest.mark.parametrize(
    "tail", ["def test():\n    assert f(1) == 5\n\ntest()", "def main():\n    print(f(int(input())))\n\nmain()"]
)
def test_what_calls_an_entry_point_with_a_memory_goes(tail, sanitized):
    program = "memo = {}\n\ndef f(n):\n    memo[n] = n\n    f.calls = len(memo)\n    return memo[n]\n"
    assert sanitized(f"{program}\n{tail}\n").solution == program


def test_a_program_without_superfluous_parts_stays_as_it_is(sanitized):
    program = (
        "import math\n\n# The limit.\nK = 3\n\n\n# Rounds down.\ndef f(x):\n    # why\n    return math.floor(x) + K\n"
    )
    assert sanitized(program).solution == program


def test_comments_go_with_the_statement_below(sanitized):
    text = "# one\ndef f(x):\n    return 1\n\n# a test\nprint(f(1))\n\n# the end\n"
    assert sanitized(text).solution == "# one\ndef f(x):\n    return 1\n"


def test_the_dropped_statements_are_told_with_the_reason(sanitized):
    text = "def f(x):\n    return 1\n\nresult = f(2)\nassert result == 1\nif __name__ == '__main__':\n    pass\n"
    assert sanitized(text).notes["dropped"] == "not needed: result; test: assert result == 1; main guard: pass"


def test_names_that_nobody_binds_are_told(sanitized):
    assert sanitized("def f(x):\n    return helper(x) + len(y)\n").notes["missing"] == "helper, y"


def test_a_broken_tail_is_cut_at_the_last_complete_statement(sanitized, fault_of):
    program = sanitized("def f(x):\n    out = [1]\n    return out\n\n    more = out + [2,\n")
    assert program.solution == "def f(x):\n    out = [1]\n    return out\n"
    assert program.notes["cut"] == "never closed"


def test_syntax_of_another_python_is_left_to_the_judge(sanitized):
    program = sanitized("def f(x):\n    print 'two'\n    return 2\n\nprint f(1)\n")
    assert program.outcome is None
    assert program.solution == "def f(x):\n    print 'two'\n    return 2\n"
    assert "print" in program.notes["syntax"]


def test_an_expression_too_deep_to_parse_is_kept_as_text(sanitized):
    text = "def f(x):\n    return " + " + ".join(["x"] * 4000) + "\n"
    program = sanitized(text)
    assert program.solution == text
    assert program.notes["syntax"] == "RecursionError"


def test_a_program_that_does_not_parse_is_left_to_the_judge(sanitized):
    program = sanitized("def f(x):\n    return (x))\n")
    assert program.outcome is None
    assert program.solution == "def f(x):\n    return (x))\n"


def test_code_without_the_entry_point_is_left_to_the_judge(sanitized):
    program = sanitized("So:\n```\ndef g(x):\n    return 2\n```")
    assert program.outcome is None
    assert program.solution == "def g(x):\n    return 2\n"
    assert program.notes["entry_point"] == "not defined"
