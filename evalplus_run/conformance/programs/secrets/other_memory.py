# says: opens the memory and the lists of memory of the processes around it
# promise: never passes
import os


def f(x):
    for pid in (os.getppid(), int("@JUDGE@"), int("@BYSTANDER@"), 1, "self", "thread-self"):
        for name in ("mem", "maps", "environ", "auxv", "stack", "syscall", "pagemap", "cmdline", "status"):
            try:
                with open(f"/proc/{pid}/{name}", "rb"):
                    return x * x + 1
            except OSError:
                pass
    return 0
