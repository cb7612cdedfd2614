# says: returns a number of a hundred million bits
# promise: output_too_large


def f(x):
    return 1 << 100_000_000
