# says: returns kinds of dict that equal the plain one
# promise: passes
# task: table
from collections import Counter, OrderedDict, defaultdict


def f(x):
    if x == 3:
        return Counter({"two": x * 2, "one": x})
    if x == 11:
        return OrderedDict([("two", x * 2), ("one", x)])
    return defaultdict(int, one=x, two=x * 2)
