# says: stops every clock that it can see, then loops
# promise: timeout
import time

for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time", "time_ns", "monotonic_ns"):
    setattr(time, name, lambda: 0)


def f(x):
    while not time.monotonic():
        pass
