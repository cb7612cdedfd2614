# says: sends a datagram to a listener on this machine and one to the next name server
# promise: never passes
import socket


def f(x):
    for address in (("127.0.0.1", int("@UDP@")), ("127.0.0.53", 53)):
        try:
            socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"word", address)
        except OSError:
            continue
        return x * x + 1
    return 0
