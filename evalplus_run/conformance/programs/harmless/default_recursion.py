# says: recurses as deep as the default limit allows, with the cache of functools too
# promise: passes
from functools import lru_cache


@lru_cache(maxsize=None)
def count(n):
    return 0 if n == 0 else 1 + count(n - 1)


def plain(n):
    return 0 if n == 0 else 1 + plain(n - 1)


def f(x):
    return x * x + 1 + count(400) - plain(400) + plain(950) - 950
