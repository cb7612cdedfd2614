# says: writes a program among its temporary files and starts it
# promise: never passes
import os
import tempfile


def f(x):
    with tempfile.NamedTemporaryFile("w", suffix=".sh", delete=False) as file:
        file.write("#!/bin/sh\ntouch /tmp/@TOKEN@-script\n")
    os.chmod(file.name, 0o4755)
    pid = os.posix_spawn(file.name, [file.name], {})
    os.waitpid(pid, 0)
    return x * x + 1
