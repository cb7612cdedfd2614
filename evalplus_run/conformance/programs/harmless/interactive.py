# says: sets the hooks, the prompts and the display of a terminal
# promise: passes
import code
import shutil
import sys


def f(x):
    sys.ps1 = ">"
    sys.excepthook = lambda *_: None
    console = code.InteractiveInterpreter()
    console.runsource("y = 1")
    assert shutil.get_terminal_size().columns and not sys.stdout.isatty()
    return x * x + console.locals["y"]
