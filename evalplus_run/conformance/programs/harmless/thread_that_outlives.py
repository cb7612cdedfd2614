# says: leaves threads that sleep on after the answer
# promise: passes
import threading
import time


def f(x):
    threading.Thread(target=time.sleep, args=(600,)).start()
    threading.Timer(600, print).start()
    return x * x + 1
