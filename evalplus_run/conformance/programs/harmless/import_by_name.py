# says: imports modules by names that stand in no import statement
# promise: passes
import importlib


def f(x):
    for name in ("colorsys", "graphlib", "cmath", "tomllib", "stringprep", "bisect", "ipaddress"):
        importlib.import_module(name)
    return x * x + len([__import__("heapq").nsmallest(1, [1])])
