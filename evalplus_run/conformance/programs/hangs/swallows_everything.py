# says: loops and catches whatever would stop it
# promise: timeout


def f(x):
    while True:
        try:
            while True:
                pass
        except BaseException:
            continue
