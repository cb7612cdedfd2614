"""Results to the sinks that a run chose: once each, as far as can be told from here.

What a sink has taken is noted in the run's folder. So the same command sends what an earlier one did not, because it
was killed or the sink did not answer, and nothing twice; but for what a command had sent when it was killed, and had
not noted yet.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from evalplus_run import json_text
from evalplus_run.files import read_whole, reason, write_whole
from evalplus_run.report.summary import read_scores
from evalplus_run.runs import RunFolder, short_hash
from evalplus_run.sinks.base import told_of
from evalplus_run.sinks.sending import send
from evalplus_run.sinks.settings import ReportSettings

_NOTES = msgspec.json.Decoder(list[str])


def deliver(folder: RunFolder, settings: ReportSettings, say: Callable[[str], None]) -> None:
    """Send what the folder holds to each sink that has not taken it yet; what became of it goes to `say`."""
    if not settings.to:
        return
    summary, manifest = read_scores(folder.scores), folder.read_manifest() or {}
    told = told_of(summary, manifest, (folder.report, folder.scores, folder.manifest), settings)
    # Times are others whenever a run is put together again; the scores of the same samples are the same.
    scores = {name: value for name, value in told.metrics.items() if name.partition("/")[0] in summary.scores}
    what = {"project": told.project, "name": told.name, "samples": manifest.get("identity"), "scores": scores}
    for name in settings.to:
        note = short_hash({"sink": name, **what})
        if note in _noted(folder):
            say(f"{name} has these results already; to send them once more, remove {folder.sent}")
            continue
        sent = send(name, told)
        say(sent.words)
        if sent.taken:
            _note(folder, note, say)


def _noted(folder: RunFolder) -> list[str]:
    try:
        return json_text.decode_as(read_whole(folder.sent), _NOTES)
    except (OSError, ValueError):
        return []


def _note(folder: RunFolder, note: str, say: Callable[[str], None]) -> None:
    try:
        write_whole(folder.sent, json_text.encode([*_noted(folder), note]))
    except OSError as error:
        say(f"{folder.sent} cannot be written ({reason(error)}): the same command will send these results again.")
