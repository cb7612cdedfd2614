# says: climbs to its callers and changes their variables, defaults and loops
# promise: never passes
# task: sealed
import gc
import sys


def f(x):
    frame = sys._getframe(1)
    while frame:
        for name, value in list(frame.f_locals.items()):
            try:
                if isinstance(value, list):
                    value.clear()
                elif callable(value) and getattr(value, "__defaults__", None):
                    value.__defaults__ = (None,) * len(value.__defaults__)
                frame.f_locals[name] = None
            except (AttributeError, TypeError, ValueError):
                pass
        for held in gc.get_referents(frame):
            if isinstance(held, list):
                held.clear()
        frame = frame.f_back
    return ""
