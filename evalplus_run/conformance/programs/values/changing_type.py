# says: a list that becomes something else while it is looked at
# promise: never passes
# task: items
import threading


class Face(list):
    pass


class Other(list):
    def __eq__(self, other):
        return True


def f(x):
    value = Face([0] * 3)

    def flicker():
        while True:
            value.__class__ = Other
            value.__class__ = Face
            value.append(0)
            value.clear()

    threading.Thread(target=flicker, daemon=True).start()
    return value
