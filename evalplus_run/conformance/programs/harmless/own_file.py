# says: asks for its own name and place
# promise: passes
import sys


def f(x):
    module = sys.modules[f.__module__]
    assert __name__ == module.__name__ and vars(module)["f"] is f
    place = globals().get("__file__", "")
    return x * x + (1 if isinstance(place, str) else 0)
