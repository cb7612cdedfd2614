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


_FILE_TYPES = {
    0: "F32", 1: "F16", 2: "Q4_0", 3: "Q4_1", 7: "Q8_0", 8: "Q5_0", 9: "Q5_1", 10: "Q2_K", 11: "Q3_K_S", 12: "Q3_K_M",
    13: "Q3_K_L", 14: "Q4_K_S", 15: "Q4_K_M", 16: "Q5_K_S", 17: "Q5_K_M", 18: "Q6_K", 19: "IQ2_XXS", 20: "IQ2_XS",
    21: "Q2_K_S", 22: "IQ3_XS", 23: "IQ3_XXS", 24: "IQ1_S", 25: "IQ4_NL", 26: "IQ3_S", 27: "IQ3_M", 28: "IQ2_S",
    29: "IQ2_M", 30: "IQ4_XS", 31: "IQ1_M", 32: "BF16", 36: "TQ1_0", 37: "TQ2_0", 38: "MXFP4_MOE",
}  # fmt: skip
"""By the number in `general.file_type`: `llama_ftype` of llama.cpp's `llama.h`."""


def quantization_of(metadata: Mapping[str, Scalar]) -> str:
    """The name of how most of a file's weights are written, or its number where none is known; empty if not told."""
    number = metadata.get("general.file_type", "")
    return _FILE_TYPES.get(number, str(number)) if isinstance(number, int) else ""


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
