# says: lifts the limits on its files, its memory and its processes
# promise: never passes
import resource


def f(x):
    for limit in (resource.RLIMIT_FSIZE, resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_NOFILE):
        soft, hard = resource.getrlimit(limit)
        for wanted in ((hard, hard), (resource.RLIM_INFINITY, resource.RLIM_INFINITY)):
            try:
                resource.setrlimit(limit, wanted)
            except (OSError, ValueError):
                continue
            if resource.getrlimit(limit)[0] != soft:
                return x * x + 1
    return 0
