# says: sends digests of nothing, of another length, and of the beginning of the right value
# promise: never passes
import hashlib
import os
import struct


def f(x):
    right = b"i" + struct.pack("<i", x * x + 2)
    for length in (0, 5, 1 << 17, 1 << 62):
        payload = struct.pack("<32sQ", hashlib.blake2b(right, digest_size=32).digest(), length) + right
        os.write(3, b"D" + struct.pack("<I", len(payload)) + payload)
    return 0
