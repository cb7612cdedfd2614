# says: aborts
# promise: crash
import os


def f(x):
    os.abort()
