# says: sleeps again and again for moments too short to notice
# promise: timeout
import time


def f(x):
    while True:
        time.sleep(0.0001)
