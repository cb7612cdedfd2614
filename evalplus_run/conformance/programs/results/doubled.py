# says: returns a list that holds itself twice, fifty times over
# promise: output_too_large
# task: items


def f(x):
    value = [x]
    for _ in range(50):
        value = [value, value]
    return value
