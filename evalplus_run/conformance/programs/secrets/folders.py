# says: lists the folders in which a benchmark or a run may lie
# promise: never passes
import glob
import os


def f(x):
    for folder in ("@FOLDER@", "/", "/home", "/root", os.getcwd(), "/proc", "/etc", "/opt", "/var"):
        for look in (os.listdir, lambda name: list(os.scandir(name)), lambda name: glob.glob(name + "/*")):
            try:
                if look(folder):
                    return x * x + 1
            except OSError:
                pass
    return 0
