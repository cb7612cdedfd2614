# says: leaves generators and contexts open, which are closed when it is over
# promise: passes
import contextlib


def numbers():
    try:
        while True:
            yield 1
    finally:
        print("closed")


@contextlib.contextmanager
def opened():
    yield numbers()


kept = []


def f(x):
    context = opened()
    stream = context.__enter__()
    kept.append((context, stream))
    return x * x + next(stream)
