# says: starts a hundred threads that wait for each other
# promise: passes
import threading


def f(x):
    barrier = threading.Barrier(101)
    threads = [threading.Thread(target=barrier.wait) for _ in range(100)]
    for thread in threads:
        thread.start()
    barrier.wait()
    for thread in threads:
        thread.join()
    return x * x + 1
