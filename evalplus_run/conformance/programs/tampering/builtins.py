# says: replaces the builtins that compare, count and tell types apart
# promise: never passes
import builtins


def f(x):
    for name in ("all", "any", "bool", "dict", "enumerate", "float", "hasattr", "int", "isinstance", "issubclass"):
        setattr(builtins, name, lambda *_, **__: True)
    for name in ("len", "list", "max", "min", "range", "repr", "set", "sorted", "str", "tuple", "type", "zip"):
        setattr(builtins, name, lambda *_, **__: ())
    return 0
