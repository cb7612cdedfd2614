"""The header of a GGUF file: what a model says of itself, read without loading it.

Format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md (version 2 and 3, little-endian).
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Mapping
from pathlib import Path

from evalplus_run.records import UserError

Scalar = int | float | bool | str

_NUMBERS = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q", 12: "<d"}
_STRING, _ARRAY = 8, 9


def read_metadata(path: Path) -> Mapping[str, Scalar]:
    """All single values of the header by key; arrays (the vocabulary) are stepped over. Raises UserError."""
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            return _Reader(content).header()
    except (OSError, ValueError, struct.error, KeyError, RecursionError) as error:
        raise UserError(f"{path} is not a GGUF file that can be read ({error}): fetch it again.") from error


class _Reader:
    def __init__(self, content: mmap.mmap) -> None:
        self._content = content
        self._at = 0

    def header(self) -> Mapping[str, Scalar]:
        if self._take(4) != b"GGUF":
            raise ValueError("it does not begin with GGUF")
        self._number("<I")
        self._number("<Q")
        values = {}
        for _ in range(int(self._number("<Q"))):
            key = self._string()
            value = self._value(int(self._number("<I")))
            if value is not None:
                values[key] = value
        return values

    def _value(self, kind: int) -> Scalar | None:
        if kind == _ARRAY:
            self._skip_array()
            return None
        return self._string() if kind == _STRING else self._number(_NUMBERS[kind])

    def _skip_array(self) -> None:
        kind, count = int(self._number("<I")), int(self._number("<Q"))
        if kind in _NUMBERS:
            self._at += count * struct.calcsize(_NUMBERS[kind])
            return
        for _ in range(count):
            if kind == _ARRAY:
                self._skip_array()
            else:
                length = int(self._number("<Q"))
                self._at += length

    def _string(self) -> str:
        return self._take(int(self._number("<Q"))).decode("utf-8", errors="replace")

    def _number(self, form: str) -> int | float | bool:
        value: int | float | bool = struct.unpack_from(form, self._content, self._at)[0]
        self._at += struct.calcsize(form)
        return value

    def _take(self, size: int) -> bytes:
        if self._at + size > len(self._content):
            raise ValueError("it ends too early")
        taken = self._content[self._at : self._at + size]
        self._at += size
        return taken
