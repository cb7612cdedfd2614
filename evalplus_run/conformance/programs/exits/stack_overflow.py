# says: overflows the stack below the interpreter
# promise: crash or exception
import faulthandler


def f(x):
    faulthandler._stack_overflow()
