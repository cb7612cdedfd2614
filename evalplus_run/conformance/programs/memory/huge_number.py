# says: makes a number of thirty-two gigabits
# promise: memory


def f(x):
    return (1 << (1 << 35)) & 1
