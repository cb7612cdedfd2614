# says: speaks with itself through pipes, pairs of sockets, events and queues
# promise: passes
import os
import queue
import select
import selectors
import socket
import threading


def f(x):
    readable, writable = os.pipe()
    os.write(writable, b"1")
    assert select.select([readable], [], [], 1)[0] == [readable]
    left, right = socket.socketpair()
    with selectors.DefaultSelector() as selector:
        selector.register(right, selectors.EVENT_READ)
        left.sendall(b"2")
        assert selector.select(1) and right.recv(1) == b"2"
    event, line = threading.Event(), queue.Queue()
    threading.Thread(target=lambda: (line.put(1), event.set())).start()
    assert event.wait(5)
    return x * x + line.get()
