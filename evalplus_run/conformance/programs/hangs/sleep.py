# says: sleeps for minutes
# promise: timeout
import time


def f(x):
    time.sleep(600)
