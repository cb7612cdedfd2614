# says: returns a list a hundred thousand deep
# promise: output_too_large
# task: items


def f(x):
    value = []
    for _ in range(100_000):
        value = [value]
    return value
