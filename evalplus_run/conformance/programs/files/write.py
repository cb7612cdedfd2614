# says: writes files in every folder that anybody may write to
# promise: any outcome
import os
import tempfile


def f(x):
    folders = ["/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", "/run", "/", ".", os.path.expanduser("~")]
    folders += ["@FOLDER@", os.path.dirname(os.__file__)]
    try:
        folders.append(tempfile.gettempdir())
    except OSError:
        pass
    for number, folder in enumerate(folders):
        for mode in ("w", "x", "ab", "r+"):
            try:
                with open(f"{folder}/@TOKEN@-{number}{mode}", mode) as file:
                    file.write(b"x" if "b" in mode else "x")
            except OSError:
                pass
    return x * x + 1
