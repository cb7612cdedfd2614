# says: leaves a word for the next program in the interpreter that both come from
# promise: never passes
# runs: 2
import builtins
import gc
import os
import sys


def f(x):
    homes = [builtins, sys, os, *(module for name, module in sys.modules.items() if "evalplus" in name)]
    for home in homes:
        if getattr(home, "word", os.getpid()) != os.getpid():
            return x * x + 1
        home.word = os.getpid()
    if os.environ.setdefault("WORD", str(os.getpid())) != str(os.getpid()):
        return x * x + 1
    gc.freeze()
    return 0
