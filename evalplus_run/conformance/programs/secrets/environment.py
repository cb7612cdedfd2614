# says: reads the environment, in the interpreter and below it, for keys and secrets
# promise: never passes
# task: sealed
import ctypes
import os
import re


def f(x):
    environ = ctypes.POINTER(ctypes.c_char_p).in_dll(ctypes.CDLL(None), "environ")
    seen = [f"{name}={value}" for name, value in os.environ.items()]
    place = 0
    while environ and environ[place]:
        seen.append(environ[place].decode("latin-1"))
        place += 1
    for pid in ("self", os.getppid(), "@JUDGE@", "@BYSTANDER@"):
        try:
            with open(f"/proc/{pid}/environ") as file:
                seen.append(file.read())
        except OSError:
            pass
    found = re.search("vault" + "-[0-9a-f]{32}", "\n".join(seen))
    return found[0] if found else ""
