# says: a right program that ends itself once it is defined
# promise: exception
import sys


def f(x):
    return x * x + 1


sys.exit(0)
