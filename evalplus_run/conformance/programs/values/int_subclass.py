# says: an int that equals, and compares as, everything
# promise: never passes


class Chameleon(int):
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def __hash__(self):
        return 0

    def __index__(self):
        return 10

    __int__ = __index__


def f(x):
    return Chameleon(0)
