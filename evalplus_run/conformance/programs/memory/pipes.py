# says: fills pipes and pairs of sockets, whose memory is the kernel's
# promise: never passes
import os
import socket


def f(x):
    total, kept = 0, []
    while total < 1 << 30:
        readable, writable = os.pipe()
        pair = socket.socketpair()
        kept.append((readable, writable, pair))
        for descriptor in (writable, pair[0].fileno()):
            os.set_blocking(descriptor, False)
            try:
                while True:
                    total += os.write(descriptor, bytes(1 << 20))
            except BlockingIOError:
                pass
    return x * x + 1
