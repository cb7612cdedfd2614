"""The official releases: their content's digests, their names and where they are published."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from evalplus_run.benchmarks.settings import DatasetSettings
from evalplus_run.records import Task, UserError

TITLES = {"humaneval_plus": "HumanEval+", "mbpp_plus": "MBPP+", "humaneval": "HumanEval", "example": "Example"}

CODE_STOPS = ("\ndef ", "\nclass ", "\nimport ", "\nfrom ", "\nassert ")
"""For prompts that are the beginning of a function: EvalPlus's for HumanEval."""
DOCSTRING_STOPS = ('\n"""', "\nassert")
"""For prompts after which the whole function is written: EvalPlus's for MBPP."""


@dataclass(frozen=True, slots=True)
class Release:
    """One official benchmark file."""

    name: str
    version: str
    variant: str
    stem: str
    """The file's official name without its ending."""
    sha256: str
    """Of the unpacked content, hexadecimal, as `md5`: a copy that was packed anew is the same release."""
    md5: str
    size: int
    """Its tasks."""
    gzip_sha256: str = ""
    """Of the published .jsonl.gz; empty where it is not known."""
    urls: tuple[str, ...] = ()

    def __str__(self) -> str:
        variant = "" if self.variant == "full" else f" ({self.variant})"
        return f"{TITLES[self.name]} {self.version}{variant}"

    @property
    def is_published(self) -> bool:
        """Whether scores on it are published: it is more than the example of this program."""
        return self.name != "example"

    @property
    def file_name(self) -> str:
        """The name that a copy goes by in the cache."""
        return f"{self.stem}-{self.version}.jsonl.gz"


def _published(stem: str, version: str, commit: str = "") -> tuple[str, ...]:
    """The GitHub release, then the same file in the repository at a commit, served by another host.

    The Hugging Face hub (`evalplus/humanevalplus`, `evalplus/mbppplus`) holds the OriginFmt rows only, `check`
    functions without inputs, and so cannot stand in for these files.
    """
    repository = f"evalplus/{stem.partition('-')[0].lower()}_release"
    release = f"https://github.com/{repository}/releases/download/{version}/{stem}.jsonl.gz"
    return (
        (release, f"https://raw.githubusercontent.com/{repository}/{commit}/{stem}.jsonl.gz") if commit else (release,)
    )


_HUMANEVAL_COMMIT = "200defce9e3429d28ca215b6dd061c0f7f31c18b"
_MBPP_COMMIT = "dadf43da556a00f7bacd71cb154f2932757d9144"

RELEASES = (
    Release(
        name="humaneval_plus",
        version="v0.1.10",
        variant="full",
        stem="HumanEvalPlus",
        sha256="42526ec0e7d5f3ee0b06d6ced98f8c8bae3d76519151bfb3d36f79010645bd7f",
        md5="fe585eb4df8c88d844eeb463ea4d0302",
        size=164,
        gzip_sha256="272720b90ac375502c8ed23cd791c2a93dfb22a911641a494da74a426c09f101",
        urls=_published("HumanEvalPlus", "v0.1.10", _HUMANEVAL_COMMIT),
    ),
    Release(
        name="humaneval_plus",
        version="v0.1.10",
        variant="mini",
        stem="HumanEvalPlus-Mini",
        sha256="78fbba8865b20c5a979cda6e02fd72538e1762e65980af7d1a6e93c3e87e93af",
        md5="401e75ad986361dccc7afecb4121e295",
        size=164,
        gzip_sha256="91486741f1627101021fbe50523df08eebb5b0bf5e804b633dcd5ca3c14dbd2f",
        urls=_published("HumanEvalPlus-Mini", "v0.1.10", _HUMANEVAL_COMMIT),
    ),
    Release(
        name="humaneval_plus",
        version="v0.1.10",
        variant="noextreme",
        stem="HumanEvalPlus-NoExtreme",
        sha256="3c5aa88735e442f327030f7097f9443ee173419e0db2a75b1c12730415398e88",
        md5="413980104ee0339c147ac09653cee3db",
        size=164,
        gzip_sha256="298f79977b2663b8b8ab6b5fa50b17d6f23a92603d24f39e26203fe58c37eeda",
        urls=_published("HumanEvalPlus-NoExtreme", "v0.1.10", _HUMANEVAL_COMMIT),
    ),
    Release(
        name="humaneval_plus",
        version="v0.1.9",
        variant="full",
        stem="HumanEvalPlus",
        sha256="50d50fda1ecf4c9168d762456ae29c1d8b8b922e68c66964f7891c98d93a04b7",
        md5="84f4b93a1270b492e4c54d5212da7a5b",
        size=164,
        urls=_published("HumanEvalPlus", "v0.1.9"),
    ),
    Release(
        name="mbpp_plus",
        version="v0.2.0",
        variant="full",
        stem="MbppPlus",
        sha256="b54e762755248ca411b523c917fa9f93c07b5ff2966bf60b3917b853926a3dad",
        md5="ee43ecabebf20deef4bb776a405ac5b1",
        size=378,
        gzip_sha256="af43697e8791c4c149bdfd6b489d8b5412507551ac20e28a439f650b8225db63",
        urls=_published("MbppPlus", "v0.2.0", _MBPP_COMMIT),
    ),
    Release(
        name="mbpp_plus",
        version="v0.2.0",
        variant="noextreme",
        stem="MbppPlus-NoExtreme",
        sha256="2682a29850fb17185106b2f40e72d1ebe7091b7393c576cff71b60e83c42ed33",
        md5="85d8d7a406c0686e80353e676189bfee",
        size=378,
        gzip_sha256="72d32acaea73d5606cb97041b30d45bbda9435a675369d3e31965513ee94e564",
        urls=_published("MbppPlus-NoExtreme", "v0.2.0", _MBPP_COMMIT),
    ),
    Release(
        name="mbpp_plus",
        version="v0.1.0",
        variant="full",
        stem="MbppPlus",
        sha256="a855b9de667baea8e2f8aa61f898767a7336872208a85222b35622545e819fe9",
        md5="ebe95df0d5220f00cedd6f4bddea35e4",
        size=399,
        urls=_published("MbppPlus", "v0.1.0"),
    ),
    Release(
        name="humaneval",
        version="1.0.3",
        variant="full",
        stem="HumanEval",
        sha256="1d49078ba3e2b196b9344535bef34a43021f038fad9561d6ee7c53450609a6a2",
        md5="88771747746422b8669027625578460c",
        size=164,
        gzip_sha256="b796127e635a67f93fb35c04f4cb03cf06f38c8072ee7cee8833d7bee06979ef",
    ),
    Release(
        name="example",
        version="1",
        variant="full",
        stem="example",
        sha256="c1e2a0f62644f01323dfa67ca7ab73c8ccb89692d0599247419031399889e76e",
        md5="e74873703ef900117be7cbaee45703ab",
        size=1,
    ),
)
"""Of each benchmark the current release first. HumanEval's version is that of the package that carries it."""


def find_release(settings: DatasetSettings) -> Release:
    """The release that the settings name. Raises UserError, naming those that exist, where there is none."""
    known = [release for release in RELEASES if release.name == settings.name]
    version = settings.version or known[0].version
    for release in known:
        if (release.version, release.variant) == (version, settings.variant):
            return release
    choices = ", ".join(f"{release.version} {release.variant}" for release in known)
    raise UserError(
        f"There is no {version} {settings.variant} of {TITLES[settings.name]}: "
        f"set dataset.version and dataset.variant to one of {choices}."
    )


def identify(sha256: str) -> Release | None:
    """The official release with this unpacked content, or None."""
    return next((release for release in RELEASES if release.sha256 == sha256), None)


def errata_file(release: Release) -> Path | None:
    """What `audit` found in a release, where that is shipped; see `evaluate.errata`."""
    path = Path(__file__).parent / "data" / "errata" / f"{release.stem}-{release.version}.jsonl"
    return path if path.is_file() else None


def is_current(release: Release) -> bool:
    """Whether it is of its benchmark's current version."""
    return release.version == next(other.version for other in RELEASES if other.name == release.name)


def stop_strings(tasks: Iterable[Task]) -> tuple[str, ...]:
    """What ends a base model's answer: by whether every prompt has begun the function already."""
    begun = all(re.search(rf"\bdef\s+{task.entry_point}\b", task.prompt) for task in tasks)
    return CODE_STOPS if begun else DOCSTRING_STOPS
