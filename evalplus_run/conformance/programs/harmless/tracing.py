# says: traces, profiles and times itself
# promise: passes
import cProfile
import sys
import timeit


def g(x):
    return x * x + 1


def f(x):
    lines = []
    sys.settrace(lambda *_: lines.append(1))
    g(x)
    sys.settrace(None)
    profile = cProfile.Profile()
    profile.runcall(g, x)
    assert timeit.timeit("1", number=10) >= 0 and lines
    return g(x)
