"""Encoding beside hostile programs. That what is written can be read again is tested in tests/judge/test_decode.py."""

import ast
import collections
import enum
import itertools
import struct
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalplus_run.sandbox.guest import encode as encode_module
from evalplus_run.sandbox.guest.encode import MARK, TooLarge, encode

SOURCE = Path(encode_module.__file__)
numbers = st.integers() | st.floats(allow_nan=False) | st.booleans()
scalars = st.none() | numbers | st.text() | st.binary() | st.complex_numbers(allow_nan=False)


class TouchedError(Exception):
    pass


def touched(*_args, **_kwargs):
    raise TouchedError


HOOKS = [
    *("__eq__", "__ne__", "__hash__", "__iter__", "__len__", "__contains__", "__getitem__", "__getattribute__"),
    *("__bool__", "__str__", "__repr__", "__int__", "__float__", "__index__", "__bytes__", "__complex__", "__add__"),
    *("__reduce__", "__reduce_ex__", "__copy__", "__length_hint__", "__format__", "__missing__"),
    *("keys", "values", "items", "copy", "get"),
]


def lying(base, content):
    """An instance of a subclass all of whose methods raise, and whose class says that it is another."""
    body = dict.fromkeys(HOOKS, touched) | {"__class__": property(touched)}
    value = base.__new__(type("Liar", (base,), body), content)
    if base in (list, dict, set):
        base.__init__(value, content)
    return value


@pytest.mark.parametrize(
    "content", [5, 2**80, -0.0, 1j, "text", b"bytes", [1, "a"], (1, [2]), {"k": [1]}, {1, 2}, frozenset({3})]
)
def test_no_method_of_a_subclass_is_called_and_its_base_content_is_sent(content):
    assert encode(lying(type(content), content)) == b"k\x04Liar" + encode(content)


def test_no_method_of_an_unknown_object_is_called():
    class Meta(type):
        __hash__ = __eq__ = __instancecheck__ = __subclasscheck__ = touched
        __name__ = property(touched)

    class Unknown(metaclass=Meta):
        pass

    for name in HOOKS:
        type.__setattr__(Unknown, name, touched)
    assert encode(Unknown()) == MARK + b"o\x07Unknown"


def test_a_metaclass_that_equals_int_makes_no_number_of_its_instances():
    class Meta(type):
        def __hash__(cls):
            return hash(int)

        def __eq__(cls, other):
            return True

    class Fake(metaclass=Meta):
        def __float__(self):
            return 1.0

    assert encode([1, Fake()]) == b"[\2\0\0\0" + encode(1) + encode(Fake())


def test_what_pickle_would_call_is_never_called():
    class Reducing:
        def __reduce__(self):
            raise TouchedError

    assert encode([Reducing()]).endswith(b"o\x08Reducing")


@given(st.lists(scalars, max_size=12) | st.lists(numbers, max_size=12) | st.lists(st.text(), max_size=7))
def test_a_flat_list_is_written_as_its_items_are_one_by_one(items):
    expected = b"[" + struct.pack("<I", len(items)) + b"".join(encode(item) for item in items)
    joined = len(items) >= 8 and all(type(item) is str for item in items)
    assert encode(items) == expected or joined


@given(st.lists(st.text() | st.integers() | st.tuples(st.integers(), st.text()), unique=True), st.randoms())
def test_the_order_of_insertion_does_not_show_in_sets_and_dicts(items, random):
    shuffled = random.sample(items, len(items))
    assert encode(set(items)) == encode(set(shuffled))
    assert encode(frozenset(items)) == encode(frozenset(shuffled))
    assert encode(dict.fromkeys(items, 1.5)) == encode(dict.fromkeys(shuffled, 1.5))
    assert encode(dict.fromkeys(items).keys()) == encode(dict.fromkeys(shuffled).keys())


def test_an_ordered_dict_keeps_its_order_even_where_it_was_moved():
    value = collections.OrderedDict(b=1, a=2)
    assert encode(value) != encode(collections.OrderedDict(a=2, b=1))
    value.move_to_end("b")
    assert encode(value) == encode(collections.OrderedDict(a=2, b=1))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *((1, True), (1, 1.0), (0.0, -0.0), ([1], (1,)), ({1}, frozenset({1})), ("a", b"a"), ({}, set())),
        *((None, False), ({"a": 1}, collections.Counter("a")), (Fraction(1), Decimal(1)), (1.5, np.float64(1.5))),
        ([1], np.array([1])),
    ],
)
def test_values_of_different_types_differ(one, other):
    assert encode(one) != encode(other)


def test_decimals_and_fractions_go_by_value():
    assert encode(Decimal("1.50")) == encode(Decimal("1.5"))
    assert encode(Fraction(2, 4)) == encode(Fraction(1, 2))
    assert encode(Decimal("inf")) != encode(Decimal("-inf"))


def test_a_subclass_named_like_a_library_type_is_told_from_it():
    impostor = type("collections.Counter", (dict,), {})
    assert encode(impostor(a=1)) != encode(collections.Counter("a"))
    assert encode(enum.IntEnum("Colour", "RED").RED) == b"k\x06Colour" + encode(1)


@pytest.mark.parametrize(
    "value",
    [
        *(float("nan"), [1.5, float("nan")], complex(0, float("nan")), {float("nan")}, np.float64("nan")),
        *(Decimal("nan"), np.array([1]), object(), {"a": [object()]}, {1: 2}.values(), iter([]), range(3), print),
        (i for i in "ab"),
    ],
)
def test_what_does_not_equal_its_own_copy_is_marked(value):
    assert MARK in encode(value)


@pytest.mark.parametrize(
    "value", [1.5, [float("inf")] * 9, "text", {"a": {1: (2, None)}}, np.float64(1), {1: 2}.keys(), bytearray(b"ab")]
)
def test_what_equals_its_own_copy_is_not_marked(value):
    assert MARK not in encode(value)


def test_iterators_are_left_alone_unless_they_are_to_be_collected():
    generator = (i for i in range(3))
    assert encode(generator) == MARK + b"o\x09generator"
    assert encode(generator, collect=True) == b"x\x09generator" + encode([0, 1, 2])
    assert next(generator, "consumed") == "consumed"


def test_a_container_is_not_collected():
    for value in ([1], {1: 2}, "ab", {1: 2}.keys(), np.array([1, 2]), None):
        assert encode(value, collect=True) == encode(value)


def test_an_iterator_that_fails_is_opaque():
    def failing():
        yield 1
        raise KeyError

    assert encode(failing(), collect=True) == MARK + b"o\x09generator"


def test_an_endless_iterator_is_too_large():
    with pytest.raises(TooLarge):
        encode(itertools.count(), collect=True)


def shared_tree():
    tree = [1]
    for _ in range(40):
        tree = [tree, tree]
    return tree


def cycle():
    value = []
    value.append(value)
    return value


def cyclic_dict():
    value = {}
    value["self"] = (value,)
    return value


def deep():
    value = ()
    for _ in range(100_000):
        value = (value,)
    return value


BIG = "x" * 1_000_000
GIGANTIC = 1 << 10_000_000


UNBOUNDED = {
    "a tree of shared lists": shared_tree,
    "a list in itself": cycle,
    "a dict in itself": cyclic_dict,
    "deep tuples": deep,
    "a gigantic int": lambda: GIGANTIC,
    "the same gigantic int": lambda: [1 << 8_000_000] * 1000,
    "many large ints": lambda: [1 << 1000] * 1_000_000,
    "a subclass of a gigantic int": lambda: [type("I", (int,), {})(GIGANTIC)],
    "a long text": lambda: BIG * 80,
    "the same long text": lambda: [BIG] * 100,
    "lists of the same long text": lambda: [[BIG] * 7] * 100,
    "a dict of the same long text": lambda: dict.fromkeys(range(100), BIG),
    "the same long bytes": lambda: [BIG.encode()] * 100,
    "a long list": lambda: [None] * 20_000_000,
    "a long list of floats": lambda: [2.5] * 8_000_000,
    "an array of one repeated number": lambda: np.broadcast_to(np.int64(1), (2**40,)),
    "an array of one repeated text": lambda: np.broadcast_to(np.array("x" * 10_000), (10_000,)),
    "a fraction of gigantic ints": lambda: Fraction(1, 1 << 10_000),
    "a decimal with a gigantic exponent": lambda: Decimal("1e999999"),
}


@pytest.mark.parametrize("make", UNBOUNDED.values(), ids=UNBOUNDED)
def test_what_would_grow_without_bound_is_too_large(make):
    value = make()
    with pytest.raises(TooLarge):
        encode(value, max_bytes=16 << 20)


def test_a_low_recursion_limit_makes_a_value_too_large_and_nothing_else():
    program = "x = []\nfor _ in range(100): x = [x]\nsys.setrecursionlimit(80)\n"
    assert run_beside(program, "try: encode(x)\nexcept TooLarge: print('too large')") == "too large"


def test_a_program_that_replaces_the_builtins_changes_nothing():
    value = "{'a': [1.5, (2, {3, 4})], 'b': list(range(20)), 'c': {5: 6}.keys(), 'd': Fraction(1, 3), 'e': ['s'] * 9}"
    tamper = (
        "names = 'set sorted len isinstance issubclass type map sum max bytes dict list tuple int float str'\n"
        "for name in names.split():\n"
        "    setattr(builtins, name, lambda *a, **k: 0)\n"
        "import math, marshal, itertools, operator\n"
        "math.fsum = marshal.dumps = itertools.islice = operator.index = lambda *a: 0\n"
    )
    run = f"x = {value}\n", "sys.stdout.write(encode(x).hex())"
    assert run_beside(run[0] + tamper, run[1]) == run_beside(*run)


def test_a_false_numpy_only_makes_values_opaque():
    tamper = "import types\nsys.modules['numpy'] = types.SimpleNamespace()\nx = object()\n"
    assert run_beside(tamper, "print(encode(x)[8:])") == r"b'o\x06object'"


def test_only_the_standard_library_is_imported():
    tree = ast.parse(SOURCE.read_text())
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.split(".")[0] for name in imported} <= sys.stdlib_module_names


def run_beside(program, then):
    """Run a program in a process that has loaded the encoder and nothing else, no site packages either."""
    start = f"import sys, builtins\nsys.path.append({str(SOURCE.parent)!r})\n"
    start += "from encode import Fraction, TooLarge, encode\n"
    code = [sys.executable, "-I", "-S", "-c", start + program + then]
    return subprocess.run(code, check=True, capture_output=True, text=True).stdout.strip()
