# says: sends its own output elsewhere, and puts other streams in its place
# promise: passes
import contextlib
import io
import sys


def f(x):
    text = io.StringIO()
    with contextlib.redirect_stdout(text), contextlib.redirect_stderr(text):
        print(x, end="")
    sys.stdout = sys.stderr = text
    print("kept")
    return int(text.getvalue().split("k")[0]) ** 2 + 1
