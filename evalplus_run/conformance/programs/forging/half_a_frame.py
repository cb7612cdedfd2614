# says: dies in the middle of a frame, with exit status 0
# promise: crash
import os


def f(x):
    os.write(3, b"V\x05\x00\x00\x00i\x0a\x00")
    os._exit(0)
