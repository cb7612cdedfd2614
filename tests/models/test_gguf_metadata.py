"""The header of a GGUF file."""

from pathlib import Path
from typing import Any

import pytest
from gguf_writer import gguf
from hypothesis import given
from hypothesis import strategies as st

from evalplus_run.models.gguf_metadata import quantization_of, read_metadata
from evalplus_run.records import UserError

TEXTS = st.text(st.characters(codec="utf-8"), max_size=8)
SCALARS = st.one_of(
    st.tuples(st.just(0), st.integers(0, 2**8 - 1)),
    st.tuples(st.just(5), st.integers(-(2**31), 2**31 - 1)),
    st.tuples(st.just(7), st.booleans()),
    st.tuples(st.just(8), TEXTS),
    st.tuples(st.just(10), st.integers(0, 2**64 - 1)),
    st.tuples(st.just(12), st.floats(allow_nan=False)),
)
ARRAYS = st.one_of(
    st.tuples(st.just(8), st.lists(TEXTS, max_size=4)),
    st.tuples(st.just(6), st.lists(st.floats(width=32, allow_nan=False), max_size=4)),
    st.tuples(st.just(9), st.lists(st.tuples(st.just(8), st.lists(TEXTS, max_size=2)), max_size=2)),
)
VALUES = st.dictionaries(TEXTS, st.one_of(SCALARS, st.tuples(st.just(9), ARRAYS)), max_size=6)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("gguf") / "a.gguf"


@given(VALUES)
def test_every_single_value_is_read_and_arrays_are_stepped_over(path: Path, values: dict[str, tuple[int, Any]]) -> None:
    path.write_bytes(gguf(values) + b"tensors follow")
    assert read_metadata(path) == {key: value for key, (kind, value) in values.items() if kind != 9}


@given(VALUES, st.data())
def test_a_torn_header_is_refused_and_never_crashes(
    path: Path, values: dict[str, tuple[int, Any]], data: st.DataObject
) -> None:
    whole = gguf({**values, "last": (8, "value")})
    path.write_bytes(whole[: data.draw(st.integers(0, len(whole) - 1))])
    with pytest.raises(UserError, match="is not a GGUF file that can be read"):
        read_metadata(path)


@given(st.binary(max_size=200))
def test_noise_behind_the_magic_is_read_or_refused(path: Path, noise: bytes) -> None:
    path.write_bytes(b"GGUF" + noise)
    try:
        assert isinstance(read_metadata(path), dict)
    except UserError as error:
        assert str(path) in str(error)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04" + bytes(60)])
def test_another_kind_of_file_is_refused(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(UserError, match="is not a GGUF file"):
        read_metadata(path)


@pytest.mark.parametrize(
    ("metadata", "name"), [({"general.file_type": 15}, "Q4_K_M"), ({"general.file_type": 99}, "99"), ({}, "")]
)
def test_how_weights_are_written_is_told_by_the_name_that_people_know(metadata: dict[str, Any], name: str) -> None:
    assert quantization_of(metadata) == name
