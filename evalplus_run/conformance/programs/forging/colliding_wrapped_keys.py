# says: sends keys that fall into one place of the judge's table, each wrapped in something else
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


def tupled(key):
    return b"(\1\0\0\0" + key


def f(x):
    keys = [number((2**61 - 1) * (index + 2**20)) for index in range(25_000)]
    wrap = {
        3: tupled,
        11: lambda key: b">\1\0\0\0" + key,
        20: lambda key: b"k\3Key" + key,
        25: lambda key: b"r\0(\2\0\0\0" + key + b"i\1\0\0\0",
    }[x]
    payload = b"{" + struct.pack("<I", len(keys)) + b"".join(wrap(key) + b"N" for key in keys)
    frame = b"V" + struct.pack("<I", len(payload)) + payload
    while frame:
        frame = frame[os.write(3, frame) :]
    return 0
