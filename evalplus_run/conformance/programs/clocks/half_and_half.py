# says: computes and sleeps by turns, each for less than the limit
# promise: timeout
import time


def f(x):
    while True:
        end = time.thread_time() + 0.1
        while time.thread_time() < end:
            pass
        time.sleep(0.1)
