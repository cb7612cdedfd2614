# says: announces a frame of four gigabytes and sends it byte by byte
# promise: crash or timeout
import os


def f(x):
    os.write(3, b"V\xff\xff\xff\xff")
    while True:
        os.write(3, b"x" * 65536)
