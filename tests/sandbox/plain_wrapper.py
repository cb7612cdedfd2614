"""A wrapper that wraps nothing: what is inside starts as a process of this machine, with an empty environment."""

from contextlib import contextmanager

from evalplus_run.sandbox.remote import RemoteWorker
from evalplus_run.sandbox.wrappers.inside import Inside, environment


@contextmanager
def plain(inside):
    kept = [f"{name}={value}" for name, value in environment().items()]
    yield ["env", "-i", *kept, "sh", "-c", 'exec "$@"', "sh", *inside.command()]


def wrapped(tier, around=plain):
    return RemoteWorker(Inside(tier, 1 << 30), around)
