# says: returns three hundred million letters
# promise: output_too_large
# task: text


def f(x):
    return "a" * 300_000_000
