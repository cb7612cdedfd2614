from hypothesis import given
from hypothesis import strategies as st

from evalplus_run.evaluate.stream import ExpectedStream
from evalplus_run.sandbox.guest import protocol

PAYLOADS = st.lists(st.binary(max_size=6), min_size=1, max_size=12)


def frames(payloads, digests=()):
    return b"".join(
        protocol.FRAME.pack(protocol.DIGEST if i in digests else protocol.VALUE, len(payload)) + payload
        for i, payload in enumerate(payloads)
    )


@given(PAYLOADS, st.data())
def test_as_many_tests_match_as_one_by_one(expected, data):
    sent = data.draw(st.one_of(st.just(expected), PAYLOADS, st.lists(st.sampled_from(expected), max_size=12)))
    cut, test, place = data.draw(st.integers(0, 40)), data.draw(st.integers(0, len(expected) - 1)), 3
    stream = bytearray(b"..." + frames(sent)[: max(0, len(frames(sent)) - cut)])
    one_by_one, size = 0, 0
    for payload in expected[test:]:
        frame = frames([payload])
        if stream[place + size : place + size + len(frame)] != frame:
            break
        one_by_one, size = one_by_one + 1, size + len(frame)
    assert ExpectedStream(expected, (), []).match(test, stream, place) == (one_by_one, size)


def test_a_value_that_is_not_trusted_is_never_skipped():
    expected = [b"a", b"nan", b"b"]
    stream = ExpectedStream(expected, (), [test for test, value in enumerate(expected) if value == b"nan"])
    assert stream.match(0, bytearray(frames(expected)), 0)[0] == 1
    assert stream.match(1, bytearray(frames(expected[1:])), 0) == (0, 0)
    assert stream.match(2, bytearray(frames(expected[2:])), 0)[0] == 1


@given(st.lists(st.sampled_from([b"", b"a", b"nan"]), min_size=1, max_size=8), st.binary(max_size=60), st.data())
def test_no_bytes_whatever_stand_for_a_value_that_is_not_trusted(expected, noise, data):
    stream = ExpectedStream(expected, (), [test for test, value in enumerate(expected) if value == b"nan"])
    sent = data.draw(st.one_of(st.just(noise), st.just(frames(expected)), st.just(bytes(60))))
    test = data.draw(st.integers(0, len(expected) - 1))
    tests, _ = stream.match(test, bytearray(sent), 0)
    assert b"nan" not in expected[test : test + tests]


def test_a_digest_matches_a_digest_only():
    expected = [b"x" * 40, b"a"]
    stream = ExpectedStream(expected, {0}, [])
    assert stream.match(0, bytearray(frames(expected, {0})), 0)[0] == 2
    assert stream.match(0, bytearray(frames(expected)), 0) == (0, 0)
