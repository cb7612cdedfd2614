"""A file from the Hugging Face hub, or a mirror of it; goes on where an earlier try was broken off."""

from __future__ import annotations

import http.client
import os
import threading
import urllib.error
import urllib.request
from pathlib import Path

from evalplus_run.models.presets import Preset
from evalplus_run.models.transfer import SourceFailed, Transfer, copy

OPENING_SECONDS = 8.0
"""For name look-up, connection and the first byte together: a machine without network moves on soon."""
READING_SECONDS = 60.0


def download(preset: Preset, folder: Path, transfer: Transfer) -> Path:
    """The whole file in the folder, its hash not yet looked at.

    HF_ENDPOINT names a mirror, HF_HUB_OFFLINE=1 leaves the hub out. Raises SourceFailed; what came is kept.
    """
    if os.environ.get("HF_HUB_OFFLINE", "0") not in ("", "0"):
        raise SourceFailed("left out by HF_HUB_OFFLINE")
    part = folder / f"{preset.file}.part"
    have = part.stat().st_size if part.exists() else 0
    if have < preset.size:
        try:
            _fetch(preset, part, have, transfer)
        except (OSError, http.client.HTTPException) as error:
            raise SourceFailed(str(error)) from error
    if part.stat().st_size < preset.size:
        raise SourceFailed("the connection ended early")
    return part


def _url(preset: Preset) -> str:
    endpoint = os.environ.get("HF_ENDPOINT", "").rstrip("/") or "https://huggingface.co"
    return f"{endpoint}/{preset.repository}/resolve/main/{preset.file}"


def _fetch(preset: Preset, part: Path, have: int, transfer: Transfer) -> None:
    headers = {"Range": f"bytes={have}-"} if have else {}
    with _open(urllib.request.Request(_url(preset), headers=headers)) as response:  # noqa: S310
        start = have if response.status == http.client.PARTIAL_CONTENT else 0
        # A page of a proxy or a login is not the beginning of the file.
        if response.headers.get("content-length") != str(preset.size - start):
            raise SourceFailed("it offers a file of another length")
        with part.open("ab" if start else "wb") as sink:
            copy(response, sink, transfer.at, start)


def _open(request: urllib.request.Request) -> http.client.HTTPResponse:
    """Open within OPENING_SECONDS: the time-outs of sockets leave out name look-up and count per address."""
    opened: list[http.client.HTTPResponse | Exception] = []

    def open_it() -> None:
        try:
            opened.append(urllib.request.urlopen(request, timeout=READING_SECONDS))  # noqa: S310
        except Exception as error:
            opened.append(error)

    opener = threading.Thread(target=open_it, daemon=True)
    opener.start()
    opener.join(OPENING_SECONDS)
    if not opened:
        raise SourceFailed(f"no answer within {OPENING_SECONDS:.0f} s")
    if isinstance(opened[0], Exception):
        raise opened[0]
    return opened[0]
