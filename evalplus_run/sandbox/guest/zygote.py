"""The zygote: a warm interpreter that forks a locked child for each program.

It is started afresh with a clean environment, imports numpy and the usual standard library once, enters
namespaces where the tier has them, and freezes what it holds. It knows inputs; it never holds a program
(not even a reference), an expected value, a dataset's path or a secret, since a child can search all its memory.
"""

import gc
import importlib
import marshal
import mmap
import os
import resource
import signal
import socket
import sys
from collections import OrderedDict
from typing import Any

from . import child, libc, namespaces, protocol, selftest
from .confine import Confinement
from .preload import preload

_RESULT_PIPE = 3
_WARM = (
    "numpy math cmath re collections collections.abc itertools functools operator heapq bisect string random "
    "datetime _strptime time calendar typing decimal fractions statistics numbers hashlib copy textwrap io "
    "queue enum dataclasses abc contextlib types inspect traceback warnings threading unicodedata array struct "
    "json base64 binascii zlib secrets pprint locale uuid keyword ast asyncio concurrent.futures tempfile"
)


class Zygote:
    """Serves requests on the control channel until it closes."""

    def __init__(self, control: socket.socket, tier: str, shared: "mmap.mmap") -> None:
        self._control = control
        self._confinement = Confinement(tier)
        self._wanted = child.suite_counter(memoryview(shared))
        self._devnull = os.open("/dev/null", os.O_RDWR)
        self._tasks: "OrderedDict[str, list[Any]]" = OrderedDict()

    def greet(self) -> None:
        """Tell what the self-test found."""
        doors = selftest.open_doors(self._confinement)
        self._control.sendall(protocol.READY.pack(doors))

    def serve(self) -> None:
        """Until the other side closes the channel."""
        while (message := self._receive()) is not None:
            request, descriptors = message
            if request["do"] == "task":
                self._keep(request["key"], request["suites"])
            else:
                self._run(request, *descriptors)

    def _receive(self) -> "tuple[Any, list[int]] | None":
        header, descriptors, _, _ = socket.recv_fds(self._control, protocol.HEADER.size, 2)
        if len(header) < protocol.HEADER.size:
            return None
        data = bytearray(protocol.HEADER.unpack(header)[0])
        view = memoryview(data)
        while view:
            got = self._control.recv_into(view)
            if not got:
                return None
            view = view[got:]
        return marshal.loads(data), descriptors

    def _keep(self, key: str, suites: "list[Any]") -> None:
        """Hold a task's inputs, so that children find them in place; frozen, so that they stay shared pages."""
        self._tasks[key] = suites
        while len(self._tasks) > protocol.KEPT_TASKS:
            self._tasks.popitem(last=False)
        gc.collect()
        gc.freeze()

    def _run(self, request: "dict[str, Any]", pipe: int, program: int) -> None:
        pid = os.fork()
        if pid == 0:
            self._become_child(request, pipe, program)
        os.close(pipe)
        os.close(program)
        self._announce(pid)
        # Any byte asks for the status; the end of the channel means that nobody wants the child any more.
        if not self._control.recv(1):
            os.kill(pid, signal.SIGKILL)
            os._exit(0)
        _, status, usage = os.wait4(pid, 0)
        self._control.sendall(protocol.REAPED.pack(status, usage.ru_utime + usage.ru_stime))

    def _announce(self, pid: int) -> None:
        message = protocol.SPAWNED.pack(pid)
        try:
            handle = os.pidfd_open(pid)
        except (AttributeError, OSError):
            self._control.sendall(message)
            return
        socket.send_fds(self._control, [message], [handle])
        os.close(handle)

    def _become_child(self, request: "dict[str, Any]", pipe: int, program: int) -> None:
        try:
            # Read here and never in the zygote: what it has once held, every later child could find in its memory.
            source = marshal.loads(_content(program))
            if sys.platform == "linux":
                libc.prctl(libc.PR_SET_PDEATHSIG, signal.SIGKILL)
            _leave_only(pipe, self._devnull, keep=self._confinement.descriptors)
            self._confinement.limit(memory=request["memory"], cpu_seconds=request["cpu_seconds"])
            if not self._confinement.opens_files:
                preload(source)
            self._confinement.lock()
            inputs = self._tasks[request["key"]]
            child.run(
                source,
                request["entry_point"],
                [(number, inputs[number]) for number in request["suites"]],
                pipe=_RESULT_PIPE,
                suite_wanted=self._wanted,
                collect=request["collect"],
                max_bytes=request["max_bytes"],
                digest_over=request["digest_over"],
                whole=frozenset(request["whole"]),
            )
        finally:
            os._exit(0)


def _content(descriptor: int) -> bytes:
    with os.fdopen(descriptor, "rb") as file:
        file.seek(0)
        return file.read()


def _leave_only(pipe: int, devnull: int, keep: "tuple[int, ...]") -> None:
    """Standard streams on the null device, the result pipe, what the lock needs, and no other open file."""
    for stream in range(3):
        os.dup2(devnull, stream)
    if pipe != _RESULT_PIPE:
        os.dup2(pipe, _RESULT_PIPE, inheritable=False)
    start = _RESULT_PIPE + 1
    for descriptor in sorted(keep):
        os.closerange(start, descriptor)
        start = descriptor + 1
    os.closerange(start, resource.getrlimit(resource.RLIMIT_NOFILE)[0])


def main(control: int, shared: int, tier: str, priority: str) -> None:
    """`control` and `shared` are inherited descriptors: the channel, and the page of shared memory.

    With the priority `idle`, programs run only when nothing else wants the cores.
    """
    if priority == "idle" and hasattr(os, "SCHED_IDLE"):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    sys.dont_write_bytecode = True
    sys.set_int_max_str_digits(0)
    if tier == "namespaces":
        namespaces.enter()
    for name in _WARM.split():
        try:
            importlib.import_module(name)
        except ImportError:
            continue  # numpy may be missing; programs that want it then fail to import it
    page = mmap.mmap(shared, mmap.PAGESIZE, prot=mmap.PROT_READ)
    os.close(shared)
    os.environ.clear()
    if sys.platform == "linux":
        libc.prctl(libc.PR_SET_DUMPABLE, 0)
    zygote = Zygote(socket.socket(fileno=control), tier, page)
    gc.collect()
    gc.freeze()
    zygote.greet()
    zygote.serve()
