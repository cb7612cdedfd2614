# says: starts other programs, in every way that the standard library has
# promise: never passes
import os
import pty
import subprocess


def f(x):
    tries = (
        lambda: subprocess.run(["/bin/true"], check=True),
        lambda: subprocess.run("touch /tmp/@TOKEN@-shell", shell=True, check=True),
        lambda: os.system("touch /tmp/@TOKEN@-system") == 0,
        lambda: os.popen("echo word").read() == "word\n",
        lambda: os.waitpid(os.posix_spawn("/bin/true", ["true"], {}), 0)[1] == 0,
        lambda: os.spawnv(os.P_WAIT, "/bin/true", ["true"]) == 0,
        lambda: pty.spawn(["/bin/true"]) == 0,
    )
    for start in tries:
        try:
            if start():
                return x * x + 1
        except (OSError, subprocess.SubprocessError):
            pass
    return 0
