# says: returns an object that ends the process when it is freed
# promise: never passes
import os


class Last:
    def __del__(self):
        os._exit(0)


def f(x):
    return Last()
