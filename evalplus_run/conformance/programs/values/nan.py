# says: not-a-number, which no comparison finds too far from anything
# promise: never passes
# task: ratio


def f(x):
    return float("nan") if x != 11 else complex("nan+infj")
