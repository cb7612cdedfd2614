# says: writes frames of values to every descriptor it has
# promise: never passes
import os
import struct


def frame(kind, payload=b""):
    return struct.pack("<BI", ord(kind), len(payload)) + payload


def f(x):
    for descriptor in range(3, 256):
        try:
            os.write(descriptor, frame("V", b"T") * 4 + frame("V", b"N"))
        except OSError:
            pass
    return 0
