# says: returns texts that no file can hold
# promise: wrong
# task: text


def f(x):
    return {3: "\ud800", 11: "\udfff\ud800" * 50, 20: "\0" * 9}.get(x, "\U0010ffff\x1b[2J\r")
