# says: raises an error that lies about its name and fails when it is printed
# promise: exception


class Passed(Exception):
    __name__ = __qualname__ = "pass"

    def __str__(self):
        raise SystemExit(0)

    __repr__ = __str__

    @property
    def __traceback__(self):
        raise KeyboardInterrupt

    @property
    def __class__(self):
        return int


Passed.__name__ = "\ud800\0pass\0V"


def f(x):
    raise Passed("\0" * 10_000)
