# says: runs bytecode that no compiler makes
# promise: crash or exception or timeout


def victim():
    return None


def f(x):
    victim.__code__ = victim.__code__.replace(co_code=bytes([100, 200] * 4 + [83, 0]), co_stacksize=1, co_consts=())
    return victim()
