# says: matches a pattern that tries every way to split a text
# promise: timeout
import re


def f(x):
    return re.fullmatch(r"(?:a|aa|a)+$", "a" * 80 + "b")
