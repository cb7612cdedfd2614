"""Small files of the system, as cheap as they can be read: some are read for each program, many times a second."""

import os

_MOST = 1 << 14


def read_small(path: str) -> bytes:
    """All of a file of at most 16 KiB; OSError where it cannot be read."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.read(descriptor, _MOST)
    finally:
        os.close(descriptor)
