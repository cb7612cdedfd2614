"""The zygote: a warm interpreter that forks a locked child for each program.

It is started afresh with a clean environment, imports what programs want once (see stock.py), enters
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
from collections.abc import Callable
from typing import Any

from . import child, libc, namespaces, packages, protocol, root, selftest, stock
from .confine import STANDARD_LIBRARY, AddressSpace, Confinement, readable_paths
from .scratch import PLACE, Emptied, Renewed

_RESULT_PIPE = 3
_OPEN_FILES = 1024


class Zygote:
    """Serves requests on the control channel until it closes."""

    def __init__(
        self,
        control: socket.socket,
        confinement: Confinement,
        wanted: "Callable[[], int]",
        before: "Callable[[], None]",
        after: "Callable[[], None]",
        size: "Callable[[], int]",
    ) -> None:
        """What is called `before` and `after` each child, and in a child for the suite that is `wanted`.

        `size` gives the bytes of this process's address space, which every child begins with.
        """
        self._control = control
        self._confinement = confinement
        self._wanted = wanted
        self._before, self._after = before, after
        self._size = size
        self._tasks: "OrderedDict[str, list[Any]]" = OrderedDict()
        self._address_space = size()

    def greet(self) -> None:
        """Tell what the self-test found."""
        doors = selftest.open_doors(self._confinement, self._address_space)
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
        gc.freeze()
        self._address_space = self._size()

    def _run(self, request: "dict[str, Any]", pipe: int, program: int) -> None:
        self._before()
        try:
            pid = os.fork()
        except OSError as error:
            self._control.sendall(protocol.SPAWNED.pack(-(error.errno or 1)))
            return
        else:
            if pid == 0:
                self._become_child(request, pipe, program)
        finally:
            os.close(pipe)
            os.close(program)
        self._announce(pid)
        # Any byte asks for the status; the end of the channel means that nobody wants the child any more.
        if not self._control.recv(1):
            os.kill(pid, signal.SIGKILL)
        _, status, usage = os.wait4(pid, 0)
        self._after()
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
            try:
                # Read here and never in the zygote: what it once held, every later child could find in its memory.
                source = marshal.loads(_content(program))
                if sys.platform == "linux":
                    libc.prctl(libc.PR_SET_PDEATHSIG, signal.SIGKILL)
                    # Whoever starts programs may see which files this one has open; no program can look.
                    libc.prctl(libc.PR_SET_DUMPABLE, 1)
                _leave_only(pipe, keep=self._confinement.descriptors)
                pipe = _RESULT_PIPE
                self._set_up(source, request)
            except BaseException as error:
                child.Sender(pipe).send(protocol.NOT_BEGUN, protocol.error_payload(type(error).__name__, str(error)))
                return
            inputs = self._tasks[request["key"]]
            gc.enable()
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

    def _set_up(self, source: str, request: "dict[str, Any]") -> None:
        address_space = self._address_space + request["address_space"]
        self._confinement.limit(address_space=address_space, cpu_seconds=request["cpu_seconds"])
        if not self._confinement.opens_files:
            importlib.import_module(".preload", __package__).preload(source)
        self._confinement.lock()


def _content(descriptor: int) -> bytes:
    size = os.fstat(descriptor).st_size
    parts, place = [], 0
    while place < size and (part := os.pread(descriptor, size - place, place)):
        parts.append(part)
        place += len(part)
    return b"".join(parts)


def _leave_only(pipe: int, keep: "tuple[int, ...]") -> None:
    """Standard streams on the null device, the result pipe, what the lock needs, and no other open file."""
    # Opened anew: flags of a file that is open are seen by all who share it.
    devnull = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(devnull, stream)
    if pipe != _RESULT_PIPE:
        os.dup2(pipe, _RESULT_PIPE, inheritable=False)
    start = _RESULT_PIPE + 1
    for descriptor in sorted(keep):
        os.closerange(start, descriptor)
        start = descriptor + 1
    os.closerange(start, resource.getrlimit(resource.RLIMIT_NOFILE)[0])


def main(control: int, shared: int, tier: str, priority: str, kept: str, folder: str) -> None:
    """`control` and `shared` are inherited descriptors: the channel, and the page of shared memory.

    With the priority `idle`, programs run only when nothing else wants the cores. `kept` is `common` or `all`: see
    stock.py. `folder` is an empty one for temporary files where the tier has no file system for them, or empty.
    """
    if priority == "idle" and hasattr(os, "SCHED_IDLE"):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    sys.dont_write_bytecode = True
    sys.set_int_max_str_digits(0)
    _allow_fewer_files()
    numbers = None
    if tier == "namespaces":
        namespaces.enter()
        numbers = namespaces.ProcessNumbers()
    address_space = AddressSpace()
    page = mmap.mmap(shared, mmap.PAGESIZE, prot=mmap.PROT_READ)
    os.close(shared)
    os.environ.clear()
    packages.hide_all_but_numpy()
    _warm(stock.COMMON if kept == "common" else f"{stock.COMMON} {stock.RARE}")
    if numbers:
        root.enter([STANDARD_LIBRARY, os.devnull, *readable_paths()], empty=PLACE)
    scratch = Renewed() if numbers else Emptied(folder) if folder else None
    if scratch:
        os.environ["TMPDIR"] = scratch.path
    confinement = Confinement(tier, scratch)
    if not confinement.opens_files:
        _warm(stock.WHERE_NO_FILE_OPENS)
        importlib.import_module(".preload", __package__).preload_codecs()
    if sys.platform == "linux":
        libc.prctl(libc.PR_SET_DUMPABLE, 0)
    zygote = Zygote(
        socket.socket(fileno=control),
        confinement,
        child.suite_counter(memoryview(page)),
        before=numbers.rewind if numbers else _nothing,
        after=scratch.clear if scratch else _nothing,
        size=address_space.size,
    )
    gc.collect()
    gc.freeze()
    gc.disable()  # here nothing that is dropped holds itself; children switch it on
    try:
        zygote.greet()
        zygote.serve()
    finally:
        if scratch:
            scratch.close()


def _nothing() -> None:
    """Where nothing is to be done."""


def _warm(names: str) -> None:
    for name in names.split():
        try:
            importlib.import_module(name)
        except ImportError:
            continue  # numpy may be missing; programs that want it then fail to import it


def _allow_fewer_files() -> None:
    """Each child closes all that it could have inherited: few, lest that take long on an old C library."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    few = _OPEN_FILES if hard == resource.RLIM_INFINITY else min(_OPEN_FILES, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (few, hard))
