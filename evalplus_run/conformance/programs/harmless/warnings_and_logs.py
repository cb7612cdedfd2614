# says: warns, logs and prints tracebacks
# promise: passes
import logging
import traceback
import warnings

logging.basicConfig(level=logging.DEBUG)
warnings.simplefilter("always")


def f(x):
    warnings.warn("a word", DeprecationWarning, stacklevel=2)
    logging.getLogger(__name__).info("a line %d", x)
    try:
        1 / 0
    except ZeroDivisionError:
        logging.exception("a failure")
        traceback.print_exc()
    return x * x + 1
