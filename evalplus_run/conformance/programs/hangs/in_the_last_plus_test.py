# says: answers all tests right but the last, in which it loops
# promise: pass or timeout


def f(x):
    while x == 25:
        pass
    return x * x + 1
