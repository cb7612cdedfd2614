# says: shares a gibibyte and a half among its threads
# promise: never passes
import threading


def f(x):
    kept = []

    def take():
        try:
            kept.append(bytes(50 << 20))
            kept.append(bytearray(b"x") * (50 << 20))
        except MemoryError:
            pass

    threads = [threading.Thread(target=take) for _ in range(15)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return x * x + 1 if len(kept) == 30 else 0
