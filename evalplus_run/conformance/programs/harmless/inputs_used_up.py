# says: changes and uses up the arguments that it was given
# promise: passes
# task: items


def f(x):
    def build(number, found=[]):
        found.clear()
        found.extend((number, number + 1, number * 2))
        return found

    return build(x)
