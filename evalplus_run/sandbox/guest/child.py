"""In the child: execute the program and call its entry point on one suite of inputs after the other.

The program may do anything to this process; what it breaks costs only its own verdict. What it can reach here is
its inputs and the pipe that takes its values; nothing here knows an expected value.
"""

import builtins
import io
import os
import struct
import sys
from collections.abc import Callable, Sequence
from types import CodeType, ModuleType, TracebackType
from typing import Any

from . import protocol
from .encode import MARK, TooLarge, encode, type_name

MODULE = "solution"
FILENAME = "<solution>"
_TRACEBACK: Any = BaseException.__dict__["__traceback__"]


class _NoInput(io.StringIO):
    """Standard input of a program under test: reading is an error, as under EvalPlus."""

    def _refuse(self, *_: object) -> Any:
        raise OSError("there is no standard input")

    read = readline = readlines = __next__ = _refuse


class Sender:
    """Writes frames to the result pipe, each as soon as it is known, so that a crash loses none."""

    def __init__(self, pipe: int) -> None:
        self._pipe = pipe

    def send(
        self,
        kind: int,
        payload: bytes = b"",
        pack: "Callable[..., bytes]" = protocol.FRAME.pack,
        write: "Callable[[int, bytes | memoryview], int]" = os.write,
        view: "Callable[[bytes], memoryview]" = memoryview,
        length: "Callable[[bytes | memoryview], int]" = len,
    ) -> None:
        """Blocks while the pipe is full."""
        frame = pack(kind, length(payload)) + payload
        written = write(self._pipe, frame)
        while written < length(frame):
            written += write(self._pipe, view(frame)[written:])


def run(
    source: str,
    entry_point: str,
    suites: "Sequence[tuple[int, Sequence[Sequence[Any]]]]",
    *,
    pipe: int,
    suite_wanted: "Callable[[], int]",
    collect: bool,
    max_bytes: int,
    digest_over: int,
    whole: "frozenset[tuple[int, int]]",
) -> None:
    """Send the frames of all suites.

    `suites` are (number, inputs); values of the tests `whole`, (suite, test), are sent in full however long.
    `suite_wanted()` is the number of the suite that the judge's process is at: a suite with a smaller number
    is left as soon as that is seen.
    """
    sender = Sender(pipe)
    sender.send(protocol.BEGUN)
    sys.stdin = _NoInput()
    code = _compile(source)
    recursion_limit = sys.getrecursionlimit()
    call = _caller(sender, collect=collect, max_bytes=max_bytes, digest_over=digest_over)
    for number, inputs in suites:
        sys.setrecursionlimit(recursion_limit)
        function = _load(code, entry_point, sender)
        if function is None:
            continue
        sender.send(protocol.STARTED)
        for test, arguments in enumerate(inputs):
            if suite_wanted() > number:
                break
            call(function, arguments, (number, test) in whole)


def _compile(source: str) -> "CodeType | bytes":
    """The code, or the payload of LOAD_FAILED."""
    try:
        return compile(source, FILENAME, "exec", dont_inherit=True)
    except BaseException as error:
        line = error.lineno if isinstance(error, SyntaxError) else None
        kind = type(error).__name__ if isinstance(error, SyntaxError) else f"SyntaxError: {type(error).__name__}"
        return protocol.error_payload(kind, str(error), line)


def _load(code: "CodeType | bytes", entry_point: str, sender: Sender) -> "Callable[..., Any] | None":
    """Execute the program in a fresh module: each suite sees the program as just started."""
    if isinstance(code, bytes):
        sender.send(protocol.LOAD_FAILED, code)
        return None
    module = ModuleType(MODULE)
    sys.modules[MODULE] = module
    module.__dict__["__builtins__"] = builtins
    try:
        exec(code, module.__dict__)  # noqa: S102 - this is the sandbox
    except BaseException as error:
        sender.send(protocol.LOAD_FAILED, _describe(error))
        return None
    function = module.__dict__.get(entry_point)
    if function is None:
        sender.send(protocol.NO_ENTRY_POINT)
    return function


def _caller(sender: Sender, *, collect: bool, max_bytes: int, digest_over: int) -> "Callable[..., None]":
    def call(
        function: Any,
        arguments: "Sequence[Any]",
        in_full: bool,
        send: "Callable[..., None]" = sender.send,
        to_bytes: "Callable[..., bytes]" = encode,
        too_large: "type[Exception]" = TooLarge,
        anything: "type[BaseException]" = BaseException,
        describe: "Callable[[BaseException], bytes]" = _describe,
        digest: "Callable[[bytes], bytes]" = protocol.digest_payload,
        length: "Callable[[bytes], int]" = len,
        mark: bytes = MARK,
    ) -> None:
        try:
            payload = to_bytes(function(*arguments), collect=collect, max_bytes=max_bytes)
        except too_large:
            send(protocol.TOO_LARGE)
        except anything as error:
            send(protocol.RAISED, describe(error))
        else:
            # A value that does not equal its own copy must not pass by its digest.
            if length(payload) > digest_over and not in_full and mark not in payload:
                send(protocol.DIGEST, digest(payload))
            else:
                send(protocol.VALUE, payload)

    return call


def _line(
    error: BaseException, trace_of: "Callable[[BaseException], TracebackType | None]" = _TRACEBACK.__get__
) -> "int | None":
    line = None
    trace = trace_of(error)
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == FILENAME:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def _describe(
    error: BaseException,
    payload: "Callable[[str, str, int | None], bytes]" = protocol.error_payload,
    name: "Callable[[type], str]" = type_name,
    kind: "Callable[[object], type]" = type,
    text: "Callable[[object], str]" = str,
    plain: "Callable[[str], str]" = str.__str__,
    line: "Callable[[BaseException], int | None]" = _line,
    anything: "type[BaseException]" = BaseException,
) -> bytes:
    """Type, text and line; an exception that lies about itself, or fails to print, is described all the same."""
    try:
        message = plain(text(error))
    except anything:
        message = ""
    return payload(name(kind(error)), message, line(error))


def suite_counter(shared: memoryview) -> "Callable[[], int]":
    """Reads the number that the judge's process keeps in the first bytes of shared memory."""
    unpack = struct.Struct("<I").unpack_from

    def wanted() -> int:
        return int(unpack(shared, 0)[0])

    return wanted
