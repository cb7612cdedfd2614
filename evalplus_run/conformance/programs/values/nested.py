# says: objects that equal everything, hidden in the keys, values and members of plain containers
# promise: never passes
# task: table


class Anything:
    def __init__(self, text):
        self.text = text

    def __eq__(self, other):
        return True

    def __hash__(self):
        return hash(self.text)


def f(x):
    if x == 3:
        return {Anything("one"): x, Anything("two"): x * 2}
    return {"one": Anything("one"), "two": [Anything("two")]}
