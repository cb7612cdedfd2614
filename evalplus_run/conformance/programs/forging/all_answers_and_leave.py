# says: sends a value for each test, of both suites, and leaves with exit status 0
# promise: never passes
import os
import struct


def frame(kind, payload=b""):
    return struct.pack("<BI", ord(kind), len(payload)) + payload


def f(x):
    values = frame("V", b"i" + struct.pack("<i", 10)) * 2
    os.write(3, values + frame("S") + values)
    os._exit(0)
