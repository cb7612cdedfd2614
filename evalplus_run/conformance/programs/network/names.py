# says: looks up names of machines
# promise: never passes
import socket


def f(x):
    tries = (
        lambda: socket.gethostbyname("example.org"),
        lambda: socket.getaddrinfo("example.org", 80),
        lambda: socket.gethostbyaddr("127.0.0.1"),
        lambda: socket.getfqdn("127.0.0.1") != "127.0.0.1" or 1 / 0,
    )
    for attempt in tries:
        try:
            attempt()
        except (OSError, ZeroDivisionError):
            continue
        return x * x + 1
    return 0
