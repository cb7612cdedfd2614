# says: looks for the sockets of what started it and sends a child's end over them
# promise: never passes
import gc
import os
import socket
import struct


def f(x):
    message = struct.pack("<id", 0, 0.0) + b"R" * 8
    for thing in gc.get_objects():
        if isinstance(thing, socket.socket):
            try:
                thing.send(message)
            except OSError:
                pass
    for descriptor in range(4, 1024):
        try:
            os.write(descriptor, message)
        except OSError:
            pass
    return 0
