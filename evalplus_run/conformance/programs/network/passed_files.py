# says: sends an open file through a pair of sockets, as if to another process
# promise: never passes
import os
import socket


def f(x):
    left, right = socket.socketpair()
    file = os.open("/dev/null", os.O_RDONLY)
    socket.send_fds(left, [b"x"], [file])
    _, descriptors, _, _ = socket.recv_fds(right, 1, 1)
    return x * x + 1 if descriptors else 0
