# says: returns objects that do something when they are copied, unpickled, printed or freed elsewhere
# promise: wrong
import os


class Parcel:
    def __reduce__(self):
        return os.mkdir, ("/tmp/@TOKEN@-parcel",)

    def __repr__(self):
        os.mkdir("/tmp/@TOKEN@-printed")
        return ""

    __reduce_ex__ = __getstate__ = __copy__ = __deepcopy__ = __str__ = lambda self, *_: self.__reduce__()


def f(x):
    return Parcel() if x != 11 else [Parcel(), {"key": Parcel()}]
