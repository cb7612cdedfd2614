# says: an empty list whose methods all tell of a full one
# promise: never passes
# task: items


class Hollow(list):
    def __init__(self, real):
        super().__init__()
        self.real = real

    def __iter__(self):
        return iter(self.real)

    def __getitem__(self, at):
        return self.real[at]

    def __len__(self):
        return len(self.real)

    def copy(self):
        return self.real

    def __eq__(self, other):
        return True

    def __class_getitem__(cls, item):
        return cls


def f(x):
    return Hollow([x, x + 1, x * 2])
