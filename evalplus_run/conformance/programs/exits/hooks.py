# says: hangs frames and exits into every hook that runs at the end of anything
# promise: never passes
import atexit
import gc
import os
import sys
import threading
import weakref


def last(*_):
    os.write(3, b"V\x05\x00\x00\x00i\x0a\x00\x00\x00" * 4)
    os._exit(0)


class Held:
    pass


held = Held()
atexit.register(last)
threading._register_atexit(last)
weakref.finalize(held, last)
sys.excepthook = threading.excepthook = sys.unraisablehook = last
gc.callbacks.append(last)


def f(x):
    gc.collect()
    return 0
