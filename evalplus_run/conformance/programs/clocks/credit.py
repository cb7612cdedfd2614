# says: has many threads compute at once, and sleeps on what they saved
# promise: timeout
import hashlib
import threading
import time

threading.stack_size(1 << 16)


def f(x):
    work = [threading.Thread(target=hashlib.pbkdf2_hmac, args=("sha1", b"a", b"b", 20_000)) for _ in range(30)]
    for thread in work:
        thread.start()
    for thread in work:
        thread.join()
    time.sleep(600)
