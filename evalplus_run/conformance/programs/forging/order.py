# says: begins suites that are not due, ends them early, and takes frames back
# promise: never passes
import os
import struct


def frame(kind, payload=b""):
    return struct.pack("<BI", ord(kind), len(payload)) + payload


def f(x):
    orders = {
        3: frame("S") * 5,
        11: frame("N") + frame("S"),
        20: frame("F", b"pass\0\0") + frame("S") + frame("V", b"N"),
        25: frame("\0") + frame("\xff"),
    }
    os.write(3, orders[x])
    return 0
