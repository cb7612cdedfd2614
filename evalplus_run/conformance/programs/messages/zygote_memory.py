# says: looks in its memory for the text of the program that ran before it
# promise: never passes
# runs: 2
import ctypes
import os
import re

libc = ctypes.CDLL(None)
libc.sbrk.restype = ctypes.c_void_p
WORD = b"note-" + b"%d" % os.getpid() + b"-" + b"@TOKEN@"
LETTERS = [bytes(WORD) + b"%d" % number for number in range(5000)]


def f(x):
    memory = ctypes.string_at(libc.sbrk(0) - (1 << 19), 1 << 19)
    pids = set(re.findall(b"note" + b"-([0-9]+)-", memory))
    return x * x + 1 if pids - {b"%d" % os.getpid()} else 0
