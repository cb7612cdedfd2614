# says: asks for three gibibytes at once
# promise: memory


def f(x):
    return len(b"x" * (3 << 30)) and x * x + 1
