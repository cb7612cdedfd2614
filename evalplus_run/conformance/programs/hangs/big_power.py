# says: computes a power that takes minutes, without a way to interrupt it
# promise: timeout


def f(x):
    return 7 ** (30_000_000 + x) % 10
