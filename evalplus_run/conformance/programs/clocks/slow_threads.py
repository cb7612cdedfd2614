# says: answers wrong at once, and leaves threads that would compute for ever
# promise: wrong
import hashlib
import threading

threading.stack_size(1 << 16)


def f(x):
    for _ in range(4):
        threading.Thread(target=hashlib.pbkdf2_hmac, args=("sha1", b"a", b"b", 10**9), daemon=True).start()
    return 0
