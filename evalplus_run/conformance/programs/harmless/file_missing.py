# says: looks for files that are not there, and goes on without them
# promise: passes
import os
import pathlib


def f(x):
    for name in ("data.txt", "/nowhere/input.csv", os.path.join(os.path.dirname("solution.py"), "words")):
        try:
            with open(name) as file:
                file.read()
        except OSError:
            pass
    return x * x + (not pathlib.Path("data.txt").is_file())
