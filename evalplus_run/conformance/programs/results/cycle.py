# says: returns a dict that holds itself
# promise: output_too_large
# task: table


def f(x):
    value = {"one": x}
    value["two"] = [value]
    return value
