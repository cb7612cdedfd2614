# says: a thread of it ends the process while the main one answers
# promise: crash
import os
import threading
import time


def f(x):
    threading.Thread(target=os._exit, args=(0,)).start()
    time.sleep(0.5)
    return x * x + 1
