# says: returns a generator that never ends
# promise: wrong
# task: items
import itertools


def f(x):
    yield from itertools.count(x)
