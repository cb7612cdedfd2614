# says: hundreds of threads sleep, and it waits for all
# promise: timeout or exception
import threading
import time


def f(x):
    threading.stack_size(1 << 16)
    threads = [threading.Thread(target=time.sleep, args=(600,)) for _ in range(300)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
