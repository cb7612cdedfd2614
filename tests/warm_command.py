"""The command in a process of its own, begun in no time: a process that has imported what it needs forks for each call.

As a script it is that process; it is told of calls by the socket whose number is its argument.
"""

import importlib.util
import json
import os
import random
import runpy
import socket
import subprocess
import sys
import tempfile

_COLD = ("PYTHON", "LC_", "LANG")
"""Beginnings of variables that Python reads when it starts."""
_LONGEST = 1 << 18
"""Bytes of a call."""
_IMPORTED = (
    *("hydra._internal.hydra", "numpy", "rich.progress", "rich.syntax", "rich.table"),
    *(f"evalplus_run.{name}" for name in ("evaluate.local", "launch", "models.replay", "pipeline", "reading", "sweep")),
)
_IMPORTED_IF_THERE = ("anthropic", "openai")
"""What many calls import, and each time takes longer than all else."""
_BEFORE = dict(os.environ)
"""Before any test changed it."""


class WarmCommand:
    """Runs `python -m evalplus_run`, one call after the other."""

    def __init__(self):
        self._channel, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, __file__, str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env=_BEFORE,
                pass_fds=[theirs.fileno()],
            )

    def close(self):
        self._channel.close()
        self._process.wait(60)

    def run(self, arguments, folder, environment, timeout):
        """As `subprocess.run` with captured texts."""
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            asked = {"arguments": [*map(os.fspath, arguments)], "folder": str(folder), "environment": environment}
            self._channel.settimeout(timeout)
            socket.send_fds(self._channel, [json.dumps(asked).encode()], [out.fileno(), err.fileno()])
            status = int(self._channel.recv(_LONGEST))
            texts = [stream.seek(0) or stream.read().decode("utf-8", "surrogateescape") for stream in (out, err)]
        return subprocess.CompletedProcess(arguments, status, *texts)


def is_cold(environment):
    """Whether a call in such an environment needs a Python of its own."""
    return any(name.startswith(_COLD) and value != _BEFORE.get(name) for name, value in environment.items())


def _serve(channel):
    while True:
        message, descriptors, *_ = socket.recv_fds(channel, _LONGEST, 2)
        if not message:
            return
        pid = os.fork()
        if not pid:
            channel.close()
            _become(descriptors, **json.loads(message))
        for each in descriptors:
            os.close(each)
        channel.sendall(str(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])).encode())


def _become(descriptors, arguments, folder, environment):
    """The command, as if Python had just begun."""
    for number, each in enumerate(descriptors, 1):
        os.dup2(each, number)
        os.close(each)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    random.seed()
    sys.path[0] = folder
    sys.argv = ["evalplus_run", *arguments]
    runpy.run_module("evalplus_run", run_name="__main__", alter_sys=True)
    sys.exit()


def _import_all():
    """What most calls import, and the page's templates compiled."""
    for name in (*_IMPORTED, *filter(importlib.util.find_spec, _IMPORTED_IF_THERE)):
        importlib.import_module(name)
    from evalplus_run.report import html

    templates = html._environment()
    for name in templates.list_templates(["html"]):
        templates.get_template(name)


if __name__ == "__main__":
    _import_all()
    _serve(socket.socket(fileno=int(sys.argv[1])))
