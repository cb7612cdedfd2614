# says: fills the places that anybody may write to, with up to 48 MiB each
# promise: any outcome
import os


def f(x):
    for folder in ("/tmp", "/var/tmp", "/dev/shm", "/run", "@FOLDER@"):
        try:
            file = os.open(f"{folder}/@TOKEN@-large", os.O_CREAT | os.O_WRONLY)
            for _ in range(48):
                os.write(file, bytes(1 << 20))
        except OSError:
            pass
    return x * x + 1
