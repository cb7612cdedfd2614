# says: starts five thousand threads, for the memory of their stacks
# promise: never passes
import threading
import time


def f(x):
    threading.stack_size(1 << 15)
    for _ in range(5000):
        threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
    return x * x + 1
