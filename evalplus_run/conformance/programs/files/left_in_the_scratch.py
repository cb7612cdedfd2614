# says: leaves temporary files and folders, and a running thread that writes more
# promise: any outcome
import os
import tempfile
import threading


def write_on(folder):
    number = 0
    while True:
        number += 1
        with open(f"{folder}/@TOKEN@-{number}", "w") as file:
            file.write("x" * 100)


def f(x):
    try:
        folder = tempfile.mkdtemp(prefix="@TOKEN@")
    except OSError:
        return x * x + 1
    os.makedirs(folder + "/deep" * 100, exist_ok=True)
    threading.Thread(target=write_on, args=(folder,), daemon=True).start()
    return x * x + 1
