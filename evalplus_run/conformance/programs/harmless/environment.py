# says: sets and reads the environment
# promise: passes
import os

os.environ["WORD"] = "1"
os.putenv("OTHER", "x")


def f(x):
    home = os.path.expanduser("~/file")
    return x * x + int(os.environ.get("WORD", "0")) + (0 if home else 1) + len(os.environ.get("NOTHING", ""))
