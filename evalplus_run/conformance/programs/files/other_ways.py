# says: makes folders, pipes, links, devices and sockets where anybody may write
# promise: any outcome
import os
import shutil
import socket
import stat


def f(x):
    for folder in ("/tmp", "/var/tmp", "/dev/shm", "@FOLDER@"):
        place = f"{folder}/@TOKEN@"
        tries = (
            lambda: os.mkdir(place + "-folder"),
            lambda: os.mkfifo(place + "-pipe"),
            lambda: os.mknod(place + "-node", 0o600 | stat.S_IFREG),
            lambda: os.symlink("/etc/hostname", place + "-symbolic"),
            lambda: os.link("@BENCHMARK@", place + "-hard"),
            lambda: shutil.copytree("/usr/share/zoneinfo/Etc", place + "-copy"),
            lambda: socket.socketpair()[0].bind(place + "-socket"),
        )
        for attempt in tries:
            try:
                attempt()
            except OSError:
                pass
    return x * x + 1
