# says: waits for a lock that it holds itself
# promise: timeout
import threading


def f(x):
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()
