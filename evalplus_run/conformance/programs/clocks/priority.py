# says: lowers its own priority, so that a busy machine never comes to its end
# promise: never passes
import os


def f(x):
    tries = (
        lambda: os.nice(19),
        lambda: os.setpriority(os.PRIO_PROCESS, 0, 19),
        lambda: os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0)),
        lambda: os.sched_setaffinity(0, {0}),
    )
    for attempt in tries:
        try:
            attempt()
        except OSError:
            continue
        return x * x + 1
    return 0
