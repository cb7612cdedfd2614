"""Find a benchmark's content: a file that was named, a folder of files, the package, the cache, the network."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from evalplus_run.benchmarks.content import Content, read_content
from evalplus_run.benchmarks.humaneval import packaged_file
from evalplus_run.benchmarks.registry import Release, find_release, identify, is_current
from evalplus_run.benchmarks.settings import DatasetSettings
from evalplus_run.files import CACHE_VARIABLE, cache_folder, user_path
from evalplus_run.records import UserError

FOLDER_VARIABLE = "EVALPLUS_RUN_DATA"

_OVERRIDES = {"humaneval_plus": "HUMANEVAL_OVERRIDE_PATH", "mbpp_plus": "MBPP_OVERRIDE_PATH"}
"""EvalPlus's own variables; they stand for the full dataset."""

_EXAMPLE = Path(__file__).parent / "data" / "example.jsonl"
_SHIPPED: dict[str, Callable[[], Path]] = {"humaneval": packaged_file, "example": lambda: _EXAMPLE}


def fetch(settings: DatasetSettings) -> Content:
    """The content that the settings name, from the first source that has it.

    Sources: `dataset.path`; EvalPlus's override variables; what is shipped; the folder that EVALPLUS_RUN_DATA names;
    the cache; the network. An official release is checked against its digest. Raises UserError where none has it.
    """
    if settings.path or settings.name == "custom":
        return _named(settings, settings.path, "dataset.path")
    variable = _OVERRIDES.get(settings.name)
    if variable and settings.variant == "full" and os.environ.get(variable):
        return _named(settings, os.environ[variable], variable)
    release = find_release(settings)
    if settings.name in _SHIPPED:
        return _verified(release, _SHIPPED[settings.name](), "install the package anew")
    return _from_folder(release) or from_cache(release, cache_folder("datasets"))


def from_cache(release: Release, folder: Path) -> Content:
    """The release's content from the cache, downloaded first where it is not there.

    Several processes may ask at once: one downloads, the others wait for it.
    """
    path = folder / release.file_name
    if content := _intact(release, path):
        return content
    from filelock import FileLock

    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(f"{path}.lock"):
            return _intact(release, path) or _download(release, path)
    except OSError as error:
        raise UserError(
            f"{release} cannot be kept in {folder} ({error.strerror}): "
            f"name another folder in the environment variable {CACHE_VARIABLE}."
        ) from None


def _named(settings: DatasetSettings, path: str, key: str) -> Content:
    if not path:
        raise UserError("dataset=custom needs a file: name your JSONL with dataset.path=FILE.")
    content = read_content(user_path(path))
    release = identify(content.sha256)
    if release is None and settings.name != "custom" and (settings.version, settings.variant) != ("", "full"):
        raise UserError(f"{path} is no official release: drop dataset.version and dataset.variant, or change {key}.")
    if release is not None and not _agrees(settings, release):
        raise UserError(f"{path} is {release}: set dataset={release.name} and its version, or change {key}.")
    return content


def _agrees(settings: DatasetSettings, release: Release) -> bool:
    return (
        settings.name == release.name
        and settings.version in ("", release.version)
        and settings.variant in ("full", release.variant)
    )


def _from_folder(release: Release) -> Content | None:
    folder = os.environ.get(FOLDER_VARIABLE)
    if not folder:
        return None
    if not Path(folder).is_dir():
        raise UserError(f"{FOLDER_VARIABLE} names {folder}, which is no folder: correct the variable or unset it.")
    stems = [f"{release.stem}-{release.version}"] + [release.stem] * is_current(release)
    paths = [Path(folder) / f"{stem}{ending}" for stem in stems for ending in (".jsonl.gz", ".jsonl")]
    found = next((path for path in paths if path.is_file()), None)
    return _verified(release, found, f"replace it or unset {FOLDER_VARIABLE}") if found else None


def _verified(release: Release, path: Path, remedy: str) -> Content:
    content = read_content(path)
    if content.sha256 != release.sha256:
        raise UserError(
            f"{path} is not {release}: its content has the sha256 {content.sha256}, "
            f"that of the release is {release.sha256}; {remedy}."
        )
    return content


def _intact(release: Release, path: Path) -> Content | None:
    if not path.is_file():
        return None
    try:
        return _verified(release, path, "")
    except UserError:  # broken or of another release: it is downloaded anew
        return None


def _download(release: Release, path: Path) -> Content:
    failures = []
    for url in release.urls:
        try:
            return _retrieved(release, url, path)
        except (OSError, ValueError, UserError) as error:
            failures.append(f"{url} ({_reason(error)})")
    raise UserError(
        f"{release} could not be downloaded from {' or '.join(failures)}: "
        f"fetch it by other means and put it at {path}, or name it (dataset.path=FILE; --dataset FILE)."
    )


def _retrieved(release: Release, url: str, path: Path) -> Content:
    import pooch

    pooch.get_logger().setLevel("ERROR")
    known_hash = release.gzip_sha256 or None
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".download-") as folder:
        file = Path(pooch.retrieve(url, known_hash=known_hash, fname=path.name, path=folder))
        content = _verified(release, file, "")
        file.chmod(0o644)  # made for its owner alone, but a cache may be shared
        file.replace(path)
    return replace(content, source=str(path))


def _reason(error: Exception) -> str:
    status = getattr(getattr(error, "response", None), "status_code", None)
    if status is not None:
        return f"HTTP {status}"
    if isinstance(error, ValueError | UserError):
        return "another content"
    return getattr(error, "strerror", None) or type(error).__name__
