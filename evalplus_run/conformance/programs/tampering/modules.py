# says: puts other modules in the place of those that carry values
# promise: never passes
import sys
import types


class Obliging(types.ModuleType):
    def __getattr__(self, name):
        return lambda *_, **__: b"N"


def f(x):
    for name in ("marshal", "struct", "hashlib", "operator", "math", "decimal", "fractions", "collections", "numpy"):
        sys.modules[name] = Obliging(name)
    return 0
