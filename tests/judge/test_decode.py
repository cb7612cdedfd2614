"""The codec both ways: whatever is encoded comes back, and no other bytes do harm."""

import collections
import contextlib
import itertools
import struct
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evalplus_run.judge import Foreign, Malformed, Opaque, decode
from evalplus_run.judge.decode import MARK
from evalplus_run.sandbox.guest import encode as encoder
from evalplus_run.sandbox.guest.encode import encode

keys = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.complex_numbers() | st.text() | st.binary(),
    lambda inner: st.lists(inner, max_size=4).map(tuple) | st.frozensets(inner, max_size=4),
    max_leaves=6,
)
long_lists = st.lists(st.integers() | st.floats() | st.booleans(), max_size=30) | st.lists(st.text(), max_size=30)
values = st.recursive(
    keys | long_lists | long_lists.map(tuple) | st.sets(keys),
    lambda inner: st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(keys, inner),
    max_leaves=20,
)
surrogates = st.text(st.characters(exclude_categories=()))


def same(one, other):
    """Equal to the last bit and of the same types, NaN and the sign of zero included."""
    if type(one) is not type(other):
        return False
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, (set, frozenset)):
        return sorted(map(encode, one)) == sorted(map(encode, other))
    if isinstance(one, dict):
        return same({*one}, {*other}) and encode(one) == encode(other)
    return encode(one) == encode(other)


@given(values | surrogates)
def test_plain_values_come_back_as_they_were(value):
    assert same(decode(encode(value)), value)


@given(st.integers(-(10**6), 10**6).flatmap(lambda n: st.just(n * 7 ** abs(n % 2000))) | st.integers())
@example(1 << 8_000_000)
@example(-(1 << 8_000_000) + 1)
def test_ints_of_any_size_come_back(number):
    assert decode(encode(number)) == number


def test_subclasses_come_back_as_their_base_content_with_the_name_of_the_type():
    point = collections.namedtuple("Point", "x y")
    assert decode(encode(point(1, [2]))) == Foreign("subclass", "Point", (1, [2]))
    assert decode(encode(collections.Counter("aab"))) == Foreign("subclass", "collections.Counter", {"a": 2, "b": 1})
    assert decode(encode(collections.defaultdict(int, a=1))) == Foreign("subclass", "defaultdict", {"a": 1})
    assert list(decode(encode(collections.OrderedDict(b=1, a=2))).value) == ["b", "a"]


@pytest.mark.parametrize(
    ("value", "decoded"),
    [
        (np.float64(0.5), Foreign("numpy scalar", "<f8", 0.5)),
        (np.float32(0.5), Foreign("numpy scalar", "<f4", 0.5)),
        (np.int64(-7), Foreign("numpy scalar", "<i8", -7)),
        (np.bool_(True), Foreign("numpy scalar", "|b1", True)),
        (np.str_("ab"), Foreign("numpy scalar", "<U2", "ab")),
        (np.complex64(1j), Foreign("numpy scalar", "<c8", 1j)),
        (np.longdouble(0.5), Foreign("numpy scalar", np.dtype("longdouble").str, 0.5)),
        (np.array([[1, 2], [3, 4]]), Foreign("numpy array", "<i8", [[1, 2], [3, 4]])),
        (np.array(1.5), Foreign("numpy array", "<f8", 1.5)),
        (np.array([None, {}]), Foreign("numpy array", "|O", [None, {}])),
        ({1: 2}.keys(), Foreign("dict view", "dict_keys", frozenset({1}))),
        ({1: []}.items(), Foreign("dict view", "dict_items", {1: []})),
        (bytearray(b"ab"), Foreign("bytearray", "", b"ab")),
    ],
)
def test_library_types_come_back_with_what_they_hold(value, decoded):
    assert decode(encode(value)) == decoded


def test_decimals_and_fractions_come_back_as_their_value():
    assert decode(encode([Fraction(-1, 3), Decimal("-0.125"), Decimal("1e30")])) == [Fraction(-1, 3), -0.125, 10**30]
    assert decode(encode(Decimal("-inf"))) == float("-inf")


def test_what_an_iterable_gave_comes_back_as_a_list():
    assert decode(encode(map(str, [1, 2]), collect=True)) == Foreign("iterable", "map", ["1", "2"])
    assert decode(encode(collections.deque([1]), collect=True)) == Foreign("iterable", "deque", [1])


def test_an_opaque_value_equals_nothing_not_even_itself():
    value = decode(encode(object()))
    assert isinstance(value, Opaque)
    assert value.type_name == "object"
    assert value != value
    assert [value] != [decode(encode(object()))]


def test_both_halves_agree_on_the_mark():
    assert encoder.MARK == MARK


@given(st.binary(max_size=200))
def test_random_bytes_are_refused_or_decoded_and_nothing_else(payload):
    decoded_or_malformed(payload)


@given(values, st.data())
def test_a_damaged_payload_is_refused_or_decoded_and_nothing_else(value, data):
    payload = bytearray(encode(value))
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(payload)))
        stop = data.draw(st.integers(start, min(len(payload), start + 8)))
        payload[start:stop] = data.draw(st.binary(max_size=8) | st.sampled_from([encode(value), MARK, b"k\1S", b"("]))
    decoded_or_malformed(bytes(payload))


@given(st.lists(st.sampled_from([bytes([tag]) for tag in b"NTFilgyus[(<>{wWnakvbxdro!"] + [b"\0", b"\1\0\0\0"])))
def test_tags_in_any_order_are_refused_or_decoded_and_nothing_else(pieces):
    decoded_or_malformed(b"".join(pieces))


def decoded_or_malformed(payload):
    with contextlib.suppress(Malformed):
        decode(payload)


@given(values)
def test_a_payload_that_is_cut_or_too_long_is_refused(value):
    payload = encode(value)
    for damaged in (payload[:-1], payload + b"N", b""):
        with pytest.raises(Malformed):
            decode(damaged)


def counted(tag, count, content=b""):
    return tag + struct.pack("<I", count) + content


ints = [encode(i) for i in range(2)]
MALFORMED = {
    "no such tag": b"?",
    "a pickle": b"\x80\x04N.",
    "a list longer than its bytes": counted(b"[", 2**32 - 1, b"N"),
    "a text longer than its bytes": counted(b"u", 9, b"ab"),
    "text that is no UTF-8": counted(b"u", 1, b"\xff"),
    "an unhashable member": counted(b"<", 1, encode([])),
    "an unhashable key": counted(b"{", 1, encode({}) + b"N"),
    "an unhashable member in a wrapping": counted(b">", 1, b"k\1L" + encode([])),
    "the same member twice": counted(b"<", 2, encode(1) * 2),
    "equal members of two types": counted(b"<", 2, encode(1) + b"T"),
    "equal keys": counted(b"{", 2, encode(1) + b"N" + encode(1.0) + b"N"),
    "a fraction with no denominator": b"r\0" + encode((1, 0)),
    "a fraction of three": b"r\0" + encode((1, 2, 3)),
    "a fraction of floats": b"r\0" + encode((1.0, 2.0)),
    "a fraction not in lowest terms": b"d\0" + encode((2, 4)),
    "a fraction of gigantic ints": b"r\0" + encode((1 << 100_000, 1)),
    "an int digit of more than 15 bits": counted(b"l", 1, b"\xff\xff"),
    "an int of more than its bytes": counted(b"l", 2**31 - 1),
    "a mark on a mark": MARK + MARK + b"N",
    "a broken mark": b"!1234567N",
    "a subclass of None": b"k\1SN",
    "a view of a list": b"v\1S" + encode([]),
    "an array scalar that is a list": b"n\3<f8" + encode([]),
}


@pytest.mark.parametrize("payload", MALFORMED.values(), ids=MALFORMED)
def test_what_the_encoder_never_writes_is_refused(payload):
    with pytest.raises(Malformed):
        decode(payload)


@pytest.mark.parametrize("opening", [counted(b"[", 1), counted(b"(", 1), MARK + counted(b"(", 1), b"k\1S"])
def test_depth_is_bounded(opening):
    with pytest.raises(Malformed):
        decode(opening * 100_000 + b"N")


def test_all_that_the_encoder_lets_through_is_shallow_enough():
    value, array = 1, 1
    for _ in range(118):
        value = [value]
    for _ in range(58):
        array = np.array([array, None], dtype=object)
    decode(encode(value))
    decode(encode(array))


MERSENNE = 2**61 - 1
"""Multiples of it share one hash."""


def colliding(count, wrap=lambda item: item):
    return counted(b"<", count, b"".join(encode(wrap(i * MERSENNE)) for i in range(count)))


@pytest.mark.parametrize("wrap", [lambda i: i, lambda i: (i,), lambda i: frozenset([i])])
def test_a_set_of_colliding_hashes_is_refused(wrap):
    with pytest.raises(Malformed):
        decode(colliding(100_000, wrap))


def test_colliding_hashes_in_wrappings_of_many_names_are_refused():
    members = b"".join(b"k\4%04d" % i + encode(i * MERSENNE) for i in range(9000))
    with pytest.raises(Malformed):
        decode(counted(b"<", 9000, members))


def test_sets_of_colliding_sets_are_refused_before_their_comparison_takes_long():
    def level(depth, start):
        if depth == 0:
            return encode(start * MERSENNE)
        return counted(b">", 4, b"".join(level(depth - 1, 4 * start + i) for i in range(4)))

    with pytest.raises(Malformed):
        decode(counted(b"<", 2, level(8, 0) + level(8, 1)))


def test_honest_collisions_are_accepted():
    grid = set(itertools.product(range(-20, 20), repeat=3))
    subsets = {frozenset(subset) for size in range(10) for subset in itertools.combinations(range(-5, 5), size)}
    assert decode(encode([grid, subsets, [{-1, -2}] * 10_000])) == [grid, subsets, [{-1, -2}] * 10_000]


MANY = {
    "None": 'b"[" + pack(n) + b"N" * n',
    "sets": 'b"[" + pack(n) + (b"<" + pack(0)) * n',
    "dicts": 'b"[" + pack(n) + (b"{" + pack(0)) * n',
    "lists": 'b"[" + pack(n) + (b"[" + pack(0)) * n',
    "opaque values": 'b"[" + pack(n) + b"o\\0" * n',
    "empty texts": 'b"w" + pack(n) + bytes(n)',
    "nested lists of all that is left": '(b"[" + pack(n)) * 100 + bytes(n)',
}


@pytest.mark.parametrize("parts", MANY.values(), ids=MANY)
def test_memory_is_bounded_however_many_parts_there_are(parts):
    program = (
        "import resource, struct\n"
        "from evalplus_run.judge import Malformed, decode\n"
        f"n = 30_000_000; pack = struct.Struct('<I').pack; payload = {parts}\n"
        "resource.setrlimit(resource.RLIMIT_AS, (3 << 29, 3 << 29))\n"
        "try: decode(payload)\n"
        "except Malformed: print('malformed')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout == "malformed\n"
