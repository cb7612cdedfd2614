# says: doubles a text for ever
# promise: memory


def f(x):
    text = "word"
    while True:
        text += text
