# says: computes in a pool of eight threads
# promise: passes
from concurrent.futures import ThreadPoolExecutor


def f(x):
    with ThreadPoolExecutor(8) as pool:
        return sum(pool.map(lambda _: x, range(x))) + 1
