# says: catches the error and takes what is left, in ever smaller pieces
# promise: never passes


def f(x):
    kept, size = [], 128 << 20
    while size > 1 << 16:
        try:
            kept.append(bytearray(b"x") * size)
        except MemoryError:
            size //= 2
        if sum(map(len, kept)) > 3 << 29:
            return x * x + 1
    return 0
