"""Docker: a container without network, capabilities or anything to write but a private /tmp.

Source: docker-run(1). Programs run under the image's Python, so it must be of this one's version and have numpy.
"""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from evalplus_run.sandbox.wrappers.inside import (
    PACKAGE,
    PARTS,
    PROCESSES,
    SCRATCH,
    Inside,
    environment,
    numpy_folders,
)

_VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"
_USUAL_IMAGE = f"python:{_VERSION}-slim"
_USUAL_PACKAGES = f"/usr/local/lib/python{_VERSION}/site-packages"
"""In the usual image."""
_HOME = Path("/opt/evalplus_run")
_NOBODY = "65534:65534"
_SECONDS = 30


def missing(image: str) -> str:
    """What this machine lacks, with the remedy; empty where it can be tried."""
    if shutil.which("docker") is None:
        return "there is no docker on the PATH: install Docker"
    if not _succeeds("version"):
        return "the docker daemon does not answer: start it, or let this user reach it (docker version)"
    if not _succeeds("image", "inspect", image or _USUAL_IMAGE):
        return f"there is no image {image or _USUAL_IMAGE}: docker pull {image or _USUAL_IMAGE}"
    return ""


@contextmanager
def around(inside: Inside) -> Iterator[list[str]]:
    """The command; on leaving, the container is gone, whatever became of the command."""
    name = f"evalplus-run-{uuid.uuid4().hex}"
    memory = str(inside.memory_of_all)
    try:
        yield [
            *("docker", "run", "--rm", "--interactive", "--name", name, "--pull", "never", "--log-driver", "none"),
            *("--network", "none", "--read-only", "--user", _NOBODY, "--workdir", "/"),
            *("--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--pids-limit", str(PROCESSES)),
            *("--memory", memory, "--memory-swap", memory),
            *("--tmpfs", f"/tmp:rw,nosuid,nodev,noexec,size={SCRATCH}"),  # noqa: S108 - its own
            *(word for source, target in _mounts(inside.image) for word in ("--mount", _read_only(source, target))),
            # The image's Python has its own libraries.
            *(word for pair in environment("LD_LIBRARY_PATH").items() for word in ("--env", "=".join(pair))),
            *("--entrypoint", "python3", inside.image or _USUAL_IMAGE),
            *inside.command(package=_HOME)[1:],
        ]
    finally:
        _succeeds("rm", "--force", name)


def _mounts(image: str) -> Iterator[tuple[Path, str]]:
    for part in PARTS:
        yield PACKAGE / part, str(_HOME / part)
    if not image and platform.system() == "Linux":
        for folder in numpy_folders():
            yield folder, f"{_USUAL_PACKAGES}/{folder.name}"


def _read_only(source: Path, target: str) -> str:
    return f"type=bind,source={source},target={target},readonly"


def _succeeds(*words: str) -> bool:
    try:
        done = subprocess.run(["docker", *words], capture_output=True, timeout=_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
