# says: puts a pipe of its own in the place of the channel and keeps the true one open
# promise: timeout or crash
import os


def f(x):
    os.dup(3)
    readable, writable = os.pipe()
    os.dup2(writable, 3)
    while True:
        os.read(readable, 1 << 20)
