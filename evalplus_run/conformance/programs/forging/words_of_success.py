# says: writes what other judges take for success to every descriptor it has
# promise: never passes
import json
import os
import pickle

WORDS = (b"0\n", b"ok\n", b"pass\n", b"passed", b'"pass"', json.dumps({"passed": True, "status": "pass"}).encode())


def f(x):
    for descriptor in range(256):
        for word in (*WORDS, pickle.dumps(("pass", [True] * 4)), b"\0\0\0\0", b"\1"):
            try:
                os.write(descriptor, word)
            except OSError:
                break
    return 0
