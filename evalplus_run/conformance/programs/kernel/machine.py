# says: asks for what only the machine's master may: modules, another kernel, swap, accounts
# promise: never passes
import ctypes
import errno
import platform

libc = ctypes.CDLL(None, use_errno=True)
X86 = platform.machine() == "x86_64"
# init_module, delete_module, kexec_load, reboot, swapon, acct, syslog, ioperm or quotactl, personality
CALLS = (175, 176, 246, 169, 167, 163, 103, 173, 135) if X86 else (105, 106, 104, 142, 224, 89, 116, 60, 92)
NONSENSE = 0x7FFFFFFF


def f(x):
    for number in CALLS:
        # Whatever is let through fails for want of sense.
        if libc.syscall(number, *[NONSENSE] * 5) >= 0:
            return x * x + 1
        if ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS):
            return x * x + 1
    return 0
