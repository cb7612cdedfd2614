# says: returns a list that a thread lengthens while it is written down
# promise: never passes
# task: items
import threading


def f(x):
    value = [x]

    def lengthen():
        while True:
            value.append(value)

    threading.Thread(target=lengthen, daemon=True).start()
    return value
