# says: takes all memory before its function is defined
# promise: memory
table = b"x" * (3 << 30)


def f(x):
    return x * x + 1
