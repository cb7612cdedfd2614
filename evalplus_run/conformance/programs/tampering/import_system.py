# says: answers every later import with a module of its own
# promise: never passes
import builtins
import importlib
import sys


class Mirror:
    def __getattr__(self, name):
        return self

    def __call__(self, *_, **__):
        return self

    def __eq__(self, other):
        return True


def f(x):
    builtins.__import__ = importlib.import_module = lambda *_, **__: Mirror()
    sys.meta_path[:] = [Mirror()]
    sys.path_hooks[:] = []
    sys.modules.clear()
    return Mirror()
