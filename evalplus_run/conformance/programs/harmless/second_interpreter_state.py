# says: keeps state in context variables, thread locals, class attributes and globals, from call to call
# promise: passes
import contextvars
import threading

counted = contextvars.ContextVar("counted", default=0)
local = threading.local()
seen: list = []


def f(x):
    counted.set(counted.get() + 1)
    local.value = x
    f.calls = getattr(f, "calls", 0) + 1
    seen.append(x)
    assert counted.get() == f.calls == len(seen)
    return local.value**2 + 1
