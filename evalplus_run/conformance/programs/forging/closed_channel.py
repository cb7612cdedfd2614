# says: closes the channel for its values and lives on
# promise: crash
import os
import time


def f(x):
    os.closerange(3, 4096)
    time.sleep(600)
