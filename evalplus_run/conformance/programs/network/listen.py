# says: listens for others
# promise: never passes
import socket


def f(x):
    families = ((socket.AF_INET, ("0.0.0.0", 0)), (socket.AF_INET6, ("::", 0)), (socket.AF_UNIX, "\0@TOKEN@-listener"))
    for family, address in families:
        try:
            listener = socket.socket(family, socket.SOCK_STREAM)
            listener.bind(address)
            listener.listen()
        except OSError:
            continue
        return x * x + 1
    pair = socket.socketpair()[0]
    try:
        pair.bind("\0@TOKEN@-pair")
    except OSError:
        return 0
    return x * x + 1
