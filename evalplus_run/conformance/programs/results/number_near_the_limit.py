# says: returns the longest number that may be sent, which takes long to be written in decimal digits
# promise: wrong


def f(x):
    return (1 << 7_000_000) + 1
