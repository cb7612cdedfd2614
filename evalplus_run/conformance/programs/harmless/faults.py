# says: asks for tracebacks of crashes and of hangs
# promise: passes
import faulthandler


def f(x):
    try:
        faulthandler.enable()
        faulthandler.dump_traceback_later(600)
        faulthandler.cancel_dump_traceback_later()
    except (OSError, ValueError, RuntimeError):
        pass
    return x * x + 1
