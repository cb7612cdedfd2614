"""Members of zip archives that are packed with Zstandard, which Python's own zipfile learns in 3.14 only."""

from __future__ import annotations

import struct
import zipfile
import zlib
from typing import BinaryIO

from evalplus_run.records import UserError

METHOD = 93
"""Zstandard's number in zip archives."""
_LOCAL_HEADER = struct.Struct("<26xHH")


def read(file: BinaryIO, info: zipfile.ZipInfo) -> bytes:
    """The bytes of a member, no more of them than the archive's directory says.

    Raises UserError where the library is not installed, BadZipFile where the member is broken.
    """
    try:
        import zstandard
    except ImportError:
        raise UserError(
            "zstandard is not installed, and this archive is packed with it: pip install 'evalplus-run[inspect]'"
        ) from None
    file.seek(info.header_offset)
    header = file.read(_LOCAL_HEADER.size)
    if len(header) < _LOCAL_HEADER.size:
        raise zipfile.BadZipFile("a member lies beyond the end")
    name, extra = _LOCAL_HEADER.unpack(header)
    file.seek(name + extra, 1)
    try:
        with zstandard.ZstdDecompressor().stream_reader(
            file.read(info.compress_size), read_across_frames=True
        ) as reader:
            content = bytes(reader.read(info.file_size))
    except (zstandard.ZstdError, MemoryError) as error:
        raise zipfile.BadZipFile(str(error)) from None
    if len(content) != info.file_size or zlib.crc32(content) != info.CRC:
        raise zipfile.BadZipFile("a member is not what the directory says")
    return content
