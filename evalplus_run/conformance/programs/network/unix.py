# says: connects to the sockets that other processes of this machine keep in files, or under a name alone
# promise: never passes
import socket


def f(x):
    names = ["@FOLDER@/stream", "@FOLDER@/datagram", "\0@TOKEN@", "/run/docker.sock", "/run/dbus/system_bus_socket"]
    for name in names:
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET):
            try:
                socket.socket(socket.AF_UNIX, kind).connect(name)
            except OSError:
                continue
            return x * x + 1
    return 0
