# says: makes as many processes as it can, up to thirty
# promise: never passes
import os
import time


def f(x):
    made = 0
    for _ in range(30):
        try:
            if os.fork() == 0:
                time.sleep(5)
                os._exit(0)
            made += 1
        except OSError:
            pass
    return x * x + 1 if made else 0
