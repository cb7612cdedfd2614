"""The parts of a run that other processes drew and judged, in `shards/` of its folder, put together.

A part (`evaluate.shard=i/n`) is a run's folder like any other, `shards/i-of-n`. The command without `evaluate.shard`
takes from there what its own files lack, and does what no part has done. So it may be given as often as one likes,
the parts may come from machines that share no disk, and what it tells is always the whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Mapping
from pathlib import Path
from typing import Any

from evalplus_run.evaluate.shard import Shard
from evalplus_run.records import Completion, Verdict
from evalplus_run.runs import Row, RowLog, RunFolder

_FOLDER = "shards"
_OF_A_PART = {"drawn", "forecast", "nodes"}
_NAME = re.compile(r"([1-9]\d*)-of-([1-9]\d*)")


def folder_of(run: RunFolder, shard: Shard) -> RunFolder:
    """Where a part lies; the run's own folder for the whole."""
    return run if shard.is_whole else RunFolder(run.path / _FOLDER / f"{shard.number}-of-{shard.of}")


def is_of_a_whole(folder: Path) -> bool:
    """Whether this is the folder of a part whose run has been put together."""
    return folder.parent.name == _FOLDER and RunFolder(folder.parent.parent).scores.exists()


def collect(run: RunFolder, identity: str, say: Callable[[str], None]) -> None:
    """Take what the parts have and the run has not; nothing of theirs is changed.

    Raises UserError where a part is still at work, or is one of a run with other settings.
    """
    parts = dict(_parts(run))
    if not parts:
        return
    with run:
        run.refuse_other(identity)
        for shard, part in parts.items():
            with part:
                part.refuse_other(identity)
                if run.read_manifest() is None:
                    run.write_manifest(_of_the_whole(part.read_manifest() or {}))
                rows = _take(part.completions, run.completions, Completion)
                rows += sum(_take(path, run.path / path.name, Verdict) for path in part.path.glob("verdicts*.jsonl"))
                say(f"shard {shard}: {rows} rows taken over")
    if all(absent := [_absent(parts, of) for of in sorted({shard.of for shard in parts})]):
        # None of the splits that left something here is whole.
        for shards in absent:
            say(f"PARTIAL: shards {', '.join(shards)} are not here; what is theirs is done now")


def _parts(run: RunFolder) -> Iterator[tuple[Shard, RunFolder]]:
    for path in sorted((run.path / _FOLDER).glob("*")):
        found = _NAME.fullmatch(path.name)
        if found and path.is_dir() and int(found[1]) <= int(found[2]):
            yield Shard(int(found[1]), int(found[2])), RunFolder(path)


def _absent(parts: Container[Shard], of: int) -> list[str]:
    return [str(shard) for number in range(1, of + 1) if (shard := Shard(number, of)) not in parts]


def _of_the_whole(manifest: Mapping[str, Any]) -> Mapping[str, Any]:
    """What the manifest of one part tells of them all."""
    return {key: value for key, value in manifest.items() if key not in _OF_A_PART}


def _take(source: Path, target: Path, kind: type[Row]) -> int:
    """How many rows were missing."""
    there, here = RowLog(source, kind).read(), RowLog(target, kind).read()
    rows = [row for sample, row in there.items() if sample not in here]
    if rows:
        with RowLog(target, kind) as log:
            log.append(rows)
    return len(rows)
