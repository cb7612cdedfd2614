# says: leaves with exit status 0 while it is loaded
# promise: crash
import os

os._exit(0)


def f(x):
    return 0
