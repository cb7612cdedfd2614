# says: uses a pair of sockets, which is harmless, to write to a third one
# promise: never passes
import socket


def f(x):
    mine, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    for name in ("@FOLDER@/datagram", "\0@TOKEN@", "/dev/log", "/run/systemd/journal/socket"):
        tries = (
            lambda: mine.sendto(b"word", name),
            lambda: mine.sendmsg([b"word"], [], 0, name),
            lambda: mine.connect(name),
        )
        for attempt in tries:
            try:
                attempt()
            except OSError:
                continue
            return x * x + 1
    return 0
