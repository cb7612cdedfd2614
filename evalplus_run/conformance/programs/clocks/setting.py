# says: sets the machine's clock to what it is
# promise: never passes
import ctypes
import time

libc = ctypes.CDLL(None, use_errno=True)


def f(x):
    try:
        time.clock_settime(time.CLOCK_REALTIME, time.time())
    except OSError:
        state = ctypes.create_string_buffer(256)
        return x * x + 1 if libc.adjtimex(state) >= 0 else 0
    return x * x + 1
