"""What the programs of the suite may try to reach, put there for them, and whether they did.

A file as a benchmark's, a folder of references, a process with a secret in its environment, listeners on sockets.
Each hands the secret, or itself, to whom comes near.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import select
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from evalplus_run.files import CACHE_VARIABLE

_SECRET_VARIABLE = "EVALPLUS_RUN_CONFORMANCE_SECRET"  # noqa: S105 - a name
_WORD = re.compile("@([A-Z_]+)@")
_PATIENCE = 60.0
"""Seconds in which a process that lives answers, however busy the machine is."""


class Surroundings:
    """Made by `surroundings`."""

    def __init__(self, folder: Path) -> None:
        self.secret = f"vault-{secrets.token_hex(16)}"
        self._token = f"conformance{secrets.token_hex(8)}"
        self._folder = folder
        self._benchmark = folder / "benchmark.jsonl"
        self._put_benchmark()
        self._listeners = _listen(folder, self._token)
        environment = {**os.environ, _SECRET_VARIABLE: self.secret}
        # It ends with its standard input, so with this process.
        self._bystander = subprocess.Popen(
            [sys.executable, "-S", "-c", "while True: print(input(), flush=True)"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
        self._bystander_lives = True
        self.settle()

    def fill_in(self, source: str) -> str:
        """A program's text with the words between at signs replaced."""
        words = self._words()
        return _WORD.sub(lambda found: words[found[1]], source)

    def settle(self) -> None:
        """What is in the folder now is what belongs there."""
        self._before = _state(self._folder)

    def traces(self) -> list[str]:
        """What a program has left behind or touched; removed or put right, so that each trace is told once."""
        found = [f"it left {path}" for path in self._marked_files()]
        found += [f"it reached the {name} socket" for name, listener in self._listeners.items() if _heard(listener)]
        if self._bystander_lives and not self._bystander_answers():
            found.append("it ended another process")
            self._bystander_lives = False
        if _state(self._folder) != self._before:
            found.append("it changed files of its user")
            self._put_benchmark()
            self.settle()
        return found

    def _bystander_answers(self) -> bool:
        """Asked, since a process that is killed takes a moment to end, on a busy machine a long one."""
        asked, told = self._bystander.stdin, self._bystander.stdout
        assert asked is not None and told is not None  # noqa: S101 - for the type checker
        try:
            asked.write(b"\n")
            asked.flush()
        except BrokenPipeError:
            return False
        return bool(select.select([told], [], [], _PATIENCE)[0]) and told.readline() == b"\n"

    def close(self) -> None:
        """End the process and close the sockets."""
        for listener in self._listeners.values():
            listener.close()
        self._bystander.kill()
        with contextlib.suppress(BrokenPipeError):
            self._bystander.communicate()

    def _put_benchmark(self) -> None:
        self._benchmark.write_text(json.dumps({"task_id": "Conformance/sealed", "canonical_solution": self.secret}))

    def _words(self) -> Mapping[str, str]:
        return {
            "TOKEN": self._token,
            "FOLDER": str(self._folder),
            "BENCHMARK": str(self._benchmark),
            "JUDGE": str(os.getpid()),
            "BYSTANDER": str(self._bystander.pid),
            "TCP": str(self._listeners["TCP"].getsockname()[1]),
            "UDP": str(self._listeners["UDP"].getsockname()[1]),
        }

    def _marked_files(self) -> Iterator[Path]:
        for path in _beside_everybody():
            if self._token in path.name:
                yield path
                _remove(path)


@contextlib.contextmanager
def surroundings() -> Iterator[Surroundings]:
    """All of it, with this process's own environment and cache folder among it; gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="evalplus_run-conformance-") as folder:
        around = Surroundings(Path(folder))
        with (
            contextlib.closing(around),
            _environment({_SECRET_VARIABLE: around.secret, CACHE_VARIABLE: f"{folder}/cache"}),
        ):
            yield around


@contextlib.contextmanager
def _environment(changed: Mapping[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in changed}
    os.environ.update(changed)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _listen(folder: Path, token: str) -> dict[str, socket.socket]:
    listeners = {
        "TCP": socket.create_server(("127.0.0.1", 0)),
        "UDP": _bound(socket.AF_INET, ("127.0.0.1", 0)),
        "unix stream": _bound(socket.AF_UNIX, str(folder / "stream"), socket.SOCK_STREAM),
        "unix datagram": _bound(socket.AF_UNIX, str(folder / "datagram")),
    }
    listeners["unix stream"].listen()
    if sys.platform == "linux":
        listeners["abstract"] = _bound(socket.AF_UNIX, f"\0{token}")
    for listener in listeners.values():
        listener.setblocking(False)
    return listeners


def _bound(family: int, address: tuple[str, int] | str, kind: int = socket.SOCK_DGRAM) -> socket.socket:
    listener = socket.socket(family, kind)
    listener.bind(address)
    return listener


def _heard(listener: socket.socket) -> bool:
    heard = False
    with contextlib.suppress(BlockingIOError):
        while True:
            if listener.type == socket.SOCK_STREAM:
                listener.accept()[0].close()
            else:
                listener.recv(1)
            heard = True
    return heard


def _beside_everybody() -> Iterator[Path]:
    """What lies where anybody may write, two folders deep, and where this process's user may."""
    shared = {Path(place).resolve() for place in ("/tmp", "/var/tmp", "/dev/shm", tempfile.gettempdir())}  # noqa: S108
    own = {Path(place).resolve() for place in ("/", "/run", "/dev/mqueue", Path.cwd(), Path.home())}
    for folder in shared | own:
        for path in _entries(folder):
            yield path
            if folder in shared:
                yield from _entries(path)


def _entries(folder: Path) -> list[Path]:
    with contextlib.suppress(OSError):
        return [] if folder.is_symlink() else list(folder.iterdir())
    return []


def _remove(path: Path) -> None:
    # Opening it, as `rmtree` does, would wait for ever where it is a pipe.
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _state(folder: Path) -> list[tuple[str, int, int, int]]:
    """Name, mode, size and time of change of all files below the folder."""
    return sorted((str(path), *_stat(path)) for path in folder.rglob("*"))


def _stat(path: Path) -> tuple[int, int, int]:
    status = path.lstat()
    return status.st_mode, status.st_size, status.st_mtime_ns
