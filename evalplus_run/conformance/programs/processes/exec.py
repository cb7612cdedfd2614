# says: becomes another program
# promise: never passes
import os
import sys


def f(x):
    forge = "import os; os.write(3, b'V\\5\\0\\0\\0i\\12\\0\\0\\0'); os.mkdir('/tmp/@TOKEN@-exec')"
    os.set_inheritable(3, True)
    for program in (sys.executable, "/bin/true", "/proc/self/exe"):
        try:
            os.execve(program, ["python", "-c", forge], {})
        except OSError:
            pass
    return 0
