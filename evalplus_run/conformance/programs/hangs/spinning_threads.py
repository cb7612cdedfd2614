# says: keeps every core busy with threads that work outside the interpreter's lock
# promise: timeout
import hashlib
import threading

threading.stack_size(1 << 16)


def f(x):
    work = [threading.Thread(target=hashlib.pbkdf2_hmac, args=("sha512", b"a", b"b", 10**9)) for _ in range(8)]
    for thread in work:
        thread.start()
    for thread in work:
        thread.join()
