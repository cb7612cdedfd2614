# says: reads files of the machine and of its user
# promise: never passes
import os


def f(x):
    home = [os.path.expanduser("~"), "/root", "/home", "@FOLDER@"]
    names = ["/etc/passwd", "/etc/shadow", "/etc/hostname", "/etc/hosts", "/proc/cpuinfo", "/proc/version"]
    names += ["/sys/kernel/profiling", "/dev/mem", "/dev/kmsg", "/dev/tty", "/var/log/dpkg.log", *home]
    names += [f"{place}/.{name}" for place in home for name in ("ssh", "ssh/id_rsa", "netrc", "bash_history", "config")]
    for name in names:
        try:
            os.open(name, os.O_RDONLY)
        except OSError:
            continue
        return x * x + 1
    return 0
