# says: returns a float that is the number
# promise: passes


def f(x):
    return float(x * x + 1)
