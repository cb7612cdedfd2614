# says: the constants that comparisons themselves give back
# promise: never passes
import operator


def f(x):
    return {3: NotImplemented, 11: Ellipsis, 20: operator.eq}.get(x, True)
