# says: types into the terminal, and asks devices for what they offer
# promise: never passes
import fcntl
import os


def f(x):
    type_in, size, controlling = 0x5412, 0x5413, 0x540E
    for descriptor in range(4):
        for request in (type_in, size, controlling, type_in | 1 << 32):
            try:
                fcntl.ioctl(descriptor, request & 0xFFFFFFFF, b"x" * 64)
            except OSError:
                continue
            return x * x + 1
    for device in ("/dev/tty", "/dev/console", "/dev/ptmx", "/dev/kvm", "/dev/fuse", "/dev/net/tun"):
        try:
            os.open(device, os.O_RDWR)
        except OSError:
            continue
        return x * x + 1
    return 0
