# says: announces the largest frame that may be, and never finishes it
# promise: crash or timeout
import os
import struct
import time


def f(x):
    os.write(3, b"V" + struct.pack("<I", 1 << 20))
    os.write(3, b"u" + struct.pack("<I", (1 << 20) - 5))
    time.sleep(600)
