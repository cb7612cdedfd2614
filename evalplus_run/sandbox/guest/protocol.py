"""What the judge's process and the far side say to each other.

Control channel (a stream socket, both directions): a length (u32, little endian), then the message. Towards
the zygote messages are `marshal` values, since the sender is trusted; back they are fixed structs, so that
nothing that comes from there is ever more than numbers.

Result channel (a pipe, from the child that runs the program): frames of a kind (u8), a length (u32) and a
payload. A hostile program can write any bytes there; it can at most claim values, and the judge alone knows
which values are right.
"""

import struct
from _blake2 import blake2b  # `hashlib`, which has it too, loads OpenSSL, and with it each fork is dearer
from collections.abc import Callable
from typing import Any

HEADER = struct.Struct("<I")
FRAME = struct.Struct("<BI")

BEGUN = ord("B")
"""The child is locked and turns to the program: what fails before is the host's fault, after it the program's."""
NOT_BEGUN = ord("E")
"""The child could not be set up: `type NUL text NUL`."""
STARTED = ord("S")
"""A suite begins: the program was executed and the entry point is there. No payload."""
VALUE = ord("V")
"""The next test returned; the payload is the encoded value."""
DIGEST = ord("D")
"""The next test returned a value that is long: in place of it DIGEST_HEAD and the beginning of its encoding."""
RAISED = ord("X")
"""The next test raised: `type NUL text NUL line`."""
TOO_LARGE = ord("L")
"""The next test returned a value beyond the caps. No payload."""
LOAD_FAILED = ord("F")
"""The program could not be executed: `type NUL text NUL line`."""
NO_ENTRY_POINT = ord("N")
"""The program was executed but defines no such function."""

DIGEST_HEAD = struct.Struct("<32sQ")
"""BLAKE2b, cut to 32 bytes, and length of the encoded value."""
DIGEST_PREFIX = 256
"""Bytes of the encoding that follow, for people to see."""

READY = struct.Struct("<I")
"""The zygote's greeting: what its self-test found open (bits of selftest.CHECKS)."""
SPAWNED = struct.Struct("<i")
"""The child's process id as the zygote sees it; the process file descriptor travels along where there is one.

Below zero where no process could be made: the number of the error.
"""
REAPED = struct.Struct("<id")
"""The wait status, and CPU seconds (user and system)."""
KEPT_TASKS = 4
"""The zygote holds the inputs of so many tasks, those that were sent last."""


def digest_payload(
    value: bytes,
    hashed: "Callable[..., Any]" = blake2b,
    pack: "Callable[..., bytes]" = DIGEST_HEAD.pack,
    length: "Callable[[bytes], int]" = len,
) -> bytes:
    """The payload of DIGEST for an encoded value; equal for equal values of equal types."""
    return pack(hashed(value, digest_size=32).digest(), length(value)) + value[:DIGEST_PREFIX]


def error_payload(kind: str, text: str, line: "int | None" = None) -> bytes:
    """The payload of RAISED, LOAD_FAILED and NOT_BEGUN."""
    parts = (kind[:80], text[:400], "" if line is None else str(line))
    return "\0".join(part.replace("\0", " ") for part in parts).encode("utf-8", "replace")


def parse_error(payload: bytes) -> "tuple[str, str, int | None]":
    """Type, text and line of such a payload; whatever the bytes, three values come back."""
    parts = [*payload[:2000].decode("utf-8", "replace").split("\0"), "", "", ""]
    line = parts[2]
    return parts[0], parts[1], int(line) if line.isascii() and line.isdigit() and len(line) < 9 else None
