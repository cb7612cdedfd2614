# says: tells that it has not begun, that another program began, or that the host failed
# promise: never passes
import os
import struct


def f(x):
    for kind in range(256):
        if kind not in b"SVDXLFN":
            os.write(3, struct.pack("<BI", kind, 20) + b"MemoryError\0\0" + b"\0" * 7)
    return 0
