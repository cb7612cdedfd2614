# says: leaves a word for the next program in the name of a file or a folder
# promise: never passes
# runs: 2
import builtins
import os
import tempfile

own = builtins.__dict__.setdefault("own", set())


def f(x):
    places = ["/tmp", "/var/tmp", "/dev/shm", "/run", "."]
    try:
        places.append(tempfile.gettempdir())
    except OSError:
        pass
    for place in {os.path.realpath(place) for place in places}:
        for make in (os.mkdir, os.mkfifo, lambda name: os.close(os.open(name, os.O_CREAT | os.O_WRONLY))):
            name = f"{place}/@TOKEN@-{make.__name__.strip('<>')}"
            if os.path.lexists(name) and name not in own:
                return x * x + 1
            try:
                make(name)
                own.add(name)
            except OSError:
                pass
    return 0
