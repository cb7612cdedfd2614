# says: never comes to the end of its module
# promise: timeout
import itertools

for number in itertools.count():
    pass


def f(x):
    return x * x + 1
