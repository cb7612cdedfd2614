# says: floods the judge with frames before it answers
# promise: never passes
import os


def f(x):
    many = b"V\x01\x00\x00\x00T" * 10_000
    for _ in range(200):
        os.write(3, many)
    return 0
