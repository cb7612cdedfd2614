# says: sets limits and priorities of the processes around it
# promise: never passes
import os
import resource


def f(x):
    for pid in (os.getppid(), int("@JUDGE@"), int("@BYSTANDER@")):
        tries = (
            lambda: resource.prlimit(pid, resource.RLIMIT_CPU, (100_000, 100_000)),
            lambda: os.setpriority(os.PRIO_PROCESS, pid, 0),
            lambda: os.sched_setaffinity(pid, os.sched_getaffinity(0)),
            lambda: os.sched_setscheduler(pid, os.SCHED_OTHER, os.sched_param(0)),
        )
        for attempt in tries:
            try:
                attempt()
            except OSError:
                continue
            return x * x + 1
    return 0
