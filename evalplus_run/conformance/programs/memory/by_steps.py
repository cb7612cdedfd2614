# says: takes a little more memory in each test, and hides it from one to the next
# promise: memory or timeout
import builtins

kept = builtins.__dict__.setdefault("kept", [])


def f(x):
    for _ in range(64):
        kept.append(b"x" * (16 << 20))
    return x * x + 1
