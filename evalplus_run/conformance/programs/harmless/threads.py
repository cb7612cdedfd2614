# says: computes in a thread
# promise: passes
import threading


def f(x):
    found = []
    thread = threading.Thread(target=lambda: found.append(x * x + 1))
    thread.start()
    thread.join()
    return found[0]
