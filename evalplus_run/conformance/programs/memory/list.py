# says: makes a list of a quarter of a thousand million items
# promise: memory


def f(x):
    return len([0] * (1 << 28)) and x * x + 1
