"""A worker that is spoken to over standard input and output. Standard library only.

Towards it: a length (`protocol.HEADER`), then a `marshal` value, since the sender is trusted. Back, first HELLO,
then nothing but frames (`protocol.FRAME`): those of the programs as they come, and ENDED after the last of each;
NOT_BEGUN in place of all where the host fails.
Whoever took this process over could at most claim values, an ending and times.
"""

from __future__ import annotations

import dataclasses
import importlib.util
import json
import marshal
import os
import struct
import sys
from typing import Any

from evalplus_run.sandbox.any_worker import HostFault, TierUnavailable, WorkerLost
from evalplus_run.sandbox.execution import Job, SuiteLimits, TierName
from evalplus_run.sandbox.guest import protocol
from evalplus_run.sandbox.worker import Worker

HELLO = struct.Struct("<BB?")
"""The version of Python inside (major, minor), and whether numpy is there."""
ENDED = ord("Z")
"""How the program went: an Execution as JSON."""


class Inbox:
    """Messages of the judge's process; as `watch.Orders`, those that come while a program runs."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def fileno(self) -> int:
        """The descriptor that can be read when a message is there."""
        return self._descriptor

    def read(self) -> int:
        """An order: the number of the first suite that is still wanted."""
        return int(self.receive()["suite"])

    def receive(self) -> Any:
        """The next message; EOFError where the judge's process is gone."""
        return marshal.loads(self._exactly(protocol.HEADER.unpack(self._exactly(protocol.HEADER.size))[0]))  # noqa: S302

    def _exactly(self, size: int) -> bytes:
        data = bytearray()
        while len(data) < size:
            got = os.read(self._descriptor, min(size - len(data), 1 << 20))
            if not got:
                raise EOFError
            data += got
        return bytes(data)


class Supervisor:
    """Carries messages to the worker and frames back."""

    def __init__(self, worker: Worker, inbox: Inbox, out: int) -> None:
        self._worker = worker
        self._inbox = inbox
        self._out = out

    def serve(self) -> None:
        """Until the judge's process is gone (EOFError, BrokenPipeError) or the worker is (WorkerLost)."""
        numpy = importlib.util.find_spec("numpy") is not None
        self._write(HELLO.pack(*sys.version_info[:2], numpy))
        while True:
            message = self._inbox.receive()
            if message["do"] == "task":
                self._worker.load(message["key"], message["suites"])
            elif message["do"] == "run":
                self._run(message["job"])
            # An order that came after the end of its program is late.

    def _run(self, job: dict[str, Any]) -> None:
        limits = {number: SuiteLimits(**of_suite) for number, of_suite in job["limits"].items()}
        try:
            execution = self._worker.run(Job(**{**job, "limits": limits}), self._pass_on, orders=self._inbox)
        except HostFault as error:
            self._frame(protocol.NOT_BEGUN, protocol.error_payload("", str(error), None))
            raise
        self._frame(ENDED, json.dumps(dataclasses.asdict(execution)).encode())

    def _pass_on(self, _suite: int, _test: int, kind: int, payload: bytes) -> bool:
        """Goes on with the suite: whether it is wanted any more is told by an order."""
        self._frame(kind, payload)
        return True

    def _frame(self, kind: int, payload: bytes) -> None:
        self._write(protocol.FRAME.pack(kind, len(payload)) + payload)

    def _write(self, data: bytes) -> None:
        """Blocks while the other side reads too slowly."""
        view = memoryview(data)
        while view:
            view = view[os.write(self._out, view) :]


def main(tier: TierName, priority: str, hash_seed: int) -> None:
    """Serve; the last line on standard error is the reason where that ends early."""
    inbox, out = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    try:
        with Worker(tier, idle_priority=priority == "idle", hash_seed=hash_seed) as worker:
            Supervisor(worker, Inbox(inbox), out).serve()
    except (TierUnavailable, WorkerLost) as error:
        sys.exit(str(error) or "its zygote is gone")
    except (EOFError, BrokenPipeError):
        sys.exit()
