# says: enters a temporary folder and works there
# promise: passes
# not in: seccomp-only
import os
import tempfile


def f(x):
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as name:
        os.chdir(name)
        with open("a.txt", "w") as file:
            file.write(str(x))
        found = int(open("a.txt").read())
        os.chdir(before)
    return found * found + 1
