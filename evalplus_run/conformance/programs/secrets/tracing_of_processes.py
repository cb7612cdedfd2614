# says: attaches itself as a debugger to its parent and to the judge
# promise: never passes
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)


def f(x):
    attach, seize, trace_me = 16, 0x4206, 0
    for pid in (os.getppid(), int("@JUDGE@"), int("@BYSTANDER@")):
        for request in (seize, trace_me, attach):
            if libc.ptrace(request, pid, None, None) == 0:
                return x * x + 1
    return 0
