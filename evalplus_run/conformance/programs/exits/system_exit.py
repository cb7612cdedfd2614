# says: asks the interpreter to end, with success
# promise: exception


def f(x):
    raise SystemExit(0)
