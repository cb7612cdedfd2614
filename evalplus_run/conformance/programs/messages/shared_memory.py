# says: keeps memory, semaphores, queues and keys in the kernel, where the next program would find them
# promise: never passes
import ctypes
import platform

libc = ctypes.CDLL(None, use_errno=True)
MQ_OPEN, ADD_KEY = (240, 248) if platform.machine() == "x86_64" else (180, 217)


def f(x):
    made, remove = 0o1600, 0
    tries = (
        (lambda: libc.shmget(0, 4096, made), lambda number: libc.shmctl(number, remove, None)),
        (lambda: libc.semget(0, 1, made), lambda number: libc.semctl(number, remove, 0)),
        (lambda: libc.msgget(0, made), lambda number: libc.msgctl(number, remove, None)),
        (lambda: libc.syscall(MQ_OPEN, b"@TOKEN@", 0o102, 0o600, None), print),
        (lambda: libc.syscall(ADD_KEY, b"user", b"@TOKEN@", b"word", 4, -3), print),
    )
    for make, end in tries:
        number = make()
        if number >= 0:
            end(number)
            return x * x + 1
    return 0
