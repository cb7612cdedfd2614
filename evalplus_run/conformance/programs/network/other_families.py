# says: opens sockets to the kernel, to the host of a virtual machine, to raw packets and to its ciphers
# promise: never passes
import socket


def f(x):
    unix, inet, netlink, packet, algorithms, vsock, xdp = 1, 2, 16, 17, 38, 40, 44
    for family in (inet, 10, netlink, packet, algorithms, vsock, xdp, unix):
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, 5):
            for protocol in (0, 1, 4):
                try:
                    socket.socket(family, kind, protocol)
                except OSError:
                    continue
                return x * x + 1
    return 0
