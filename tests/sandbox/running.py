"""Programs run on the same few inputs, and what is heard of them."""

from dataclasses import dataclass, field

from evalplus_run.judge import decode
from evalplus_run.sandbox import Job, SuiteLimits
from evalplus_run.sandbox.guest import protocol

LOCKED = ("namespaces", "lockdown", "seccomp-only")
INPUTS = [[(1, 2), (3, 4)], [(5, 6)] * 3]


@dataclass
class Seen:
    """What the judge's side heard of one program."""

    execution: object = None
    values: list = field(default_factory=list)
    errors: list = field(default_factory=list)
    frames: list = field(default_factory=list)


def job(program, **options):
    """A job of the task `task`, whose inputs are INPUTS, with limits that no plain program meets."""
    limit, total = options.pop("limit", 20.0), options.pop("total", 60.0)
    plain = {
        "entry_point": "add",
        "key": "task",
        "limits": {number: SuiteLimits([limit] * len(inputs), total) for number, inputs in enumerate(INPUTS)},
        "load_limit": limit,
        "memory": 1 << 30,
    }
    return Job(program=program, **{**plain, **options})


def run(worker, program, *, leave=(), on_bytes=None, **options):
    """What a program does on INPUTS; the suites of `leave` are left after each frame."""
    seen = Seen()

    def on_frame(suite, test, kind, payload):
        seen.frames.append((suite, test, chr(kind)))
        if kind == protocol.VALUE:
            seen.values.append(decode(payload))
        elif kind in (protocol.RAISED, protocol.LOAD_FAILED):
            seen.errors.append(protocol.parse_error(payload))
        return suite not in leave

    seen.execution = worker.run(job(program, **options), on_frame, on_bytes=on_bytes)
    return seen
