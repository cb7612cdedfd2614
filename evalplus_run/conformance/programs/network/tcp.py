# says: connects to a listener on this machine, by every client of the standard library
# promise: never passes
import asyncio
import http.client
import socket
import urllib.request


def f(x):
    tries = (
        lambda: socket.create_connection(("127.0.0.1", int("@TCP@")), 0.2),
        lambda: socket.create_connection(("::1", int("@TCP@")), 0.2),
        lambda: http.client.HTTPConnection("127.0.0.1", int("@TCP@"), timeout=0.2).connect(),
        lambda: urllib.request.urlopen("http://127.0.0.1:@TCP@/", timeout=0.2),
        lambda: asyncio.run(asyncio.open_connection("127.0.0.1", int("@TCP@"))),
    )
    for attempt in tries:
        try:
            attempt()
        except OSError:
            continue
        return x * x + 1
    return 0
