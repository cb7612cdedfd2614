# says: sleeps for a moment and looks at every clock
# promise: passes
import time


def f(x):
    begun = time.perf_counter()
    time.sleep(0.05)
    assert time.perf_counter() > begun and time.time() > 0 and time.process_time() >= 0 and time.monotonic() > 0
    assert time.localtime(0).tm_year in (1969, 1970) and time.strftime("%Y")
    return x * x + 1
