"""Memory that is handed to another process by its descriptor."""

from __future__ import annotations

import mmap
import os
import struct
import tempfile
from typing import IO


class SharedCounter:
    """A page of memory that the child sees and cannot write: the number of the suite that is wanted.

    The child reads it between tests, which costs nothing. It maps it from a descriptor opened for reading only,
    which no call can make writable again: else one program could leave a message there for the next.
    """

    def __init__(self) -> None:
        self._file = nameless(bytes(mmap.PAGESIZE))
        self._page = mmap.mmap(self._file.fileno(), mmap.PAGESIZE)
        self.descriptor = os.open(f"/dev/fd/{self._file.fileno()}", os.O_RDONLY | os.O_CLOEXEC)

    def set(self, suite: int) -> None:
        """Say that suites below this number are not wanted any more."""
        struct.pack_into("<I", self._page, 0, suite)

    def close(self) -> None:
        """To be called once."""
        self._page.close()
        self._file.close()
        os.close(self.descriptor)


def nameless(content: bytes) -> IO[bytes]:
    """A file without a name that holds this content: in memory where the system has such files."""
    if hasattr(os, "memfd_create"):
        file: IO[bytes] = os.fdopen(os.memfd_create("evalplus_run"), "w+b")
    else:
        file = tempfile.TemporaryFile()  # noqa: SIM115 - the caller closes it
    file.write(content)
    file.flush()
    return file
