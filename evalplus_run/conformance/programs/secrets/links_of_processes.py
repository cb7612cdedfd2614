# says: reads where the open files, the folders and the program of other processes are
# promise: never passes
import os


def f(x):
    for pid in (os.getppid(), int("@JUDGE@"), int("@BYSTANDER@"), 1):
        for name in ("exe", "cwd", "root", "fd/0", "fd/3", "fd/5", "ns/mnt"):
            try:
                os.readlink(f"/proc/{pid}/{name}")
            except OSError:
                continue
            return x * x + 1
    return 0
