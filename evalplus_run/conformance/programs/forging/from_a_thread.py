# says: sends values from a thread while the main one is still at it
# promise: never passes
import os
import struct
import threading


def f(x):
    def send():
        for value in range(2000):
            os.write(3, b"V\x05\x00\x00\x00i" + struct.pack("<i", value * value + 7))

    threads = [threading.Thread(target=send) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return 0
