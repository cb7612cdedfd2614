# says: sends a dict and a set whose keys all fall into one place of the judge's table
# promise: never passes
# task: table
import os
import struct


def number(value):
    digits = []
    while value:
        digits.append(value & 0x7FFF)
        value >>= 15
    return b"l" + struct.pack(f"<i{len(digits)}H", len(digits), *digits)


def f(x):
    keys = [number((2**61 - 1) * (index + 2**20)) for index in range(40_000)]
    if x in (3, 20):
        payload = b"{" + struct.pack("<I", len(keys)) + b"".join(key + b"N" for key in keys)
    else:
        payload = b"<" + struct.pack("<I", len(keys)) + b"".join(keys)
    frame = b"V" + struct.pack("<I", len(payload)) + payload
    while frame:
        frame = frame[os.write(3, frame) :]
    return 0
