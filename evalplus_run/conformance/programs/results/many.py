# says: returns a million empty lists
# promise: wrong or output_too_large
# task: items


def f(x):
    return [[] for _ in range(1_000_000)]
