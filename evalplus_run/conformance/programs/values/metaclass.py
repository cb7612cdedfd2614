# says: objects whose type passes for int: equal to it, with its hash, its name and its instances
# promise: never passes
# task: items


class Pretender(type):
    def __eq__(cls, other):
        return True

    def __hash__(cls):
        return hash(int)

    def __instancecheck__(cls, thing):
        return True

    def __subclasscheck__(cls, other):
        return True

    def mro(cls):
        return [cls, object]


class Number(metaclass=Pretender):
    __name__ = __qualname__ = "int"
    __class__ = int

    def __eq__(self, other):
        return True

    def __index__(self):
        return 3

    __int__ = __hash__ = __index__


def f(x):
    return [x, Number(), Number()]
