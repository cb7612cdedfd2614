# says: leaves a process behind that has left its group and waits for the verdict
# promise: never passes
import os
import time


def f(x):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(20)
            open("/tmp/@TOKEN@-orphan", "w").close()
        os._exit(0)
    return x * x + 1
