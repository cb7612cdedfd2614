"""The page: one file that opens from disk, asks nothing of the network and runs no script.

A model's text is hostile. Every value is escaped by the template engine, none becomes a link or an attribute
that a browser acts on, and the page's own Content-Security-Policy allows its one style sheet and nothing else.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evalplus_run.files import replacing
from evalplus_run.records import Outcome
from evalplus_run.report import wording
from evalplus_run.report.sample import Sample, failure_lines, failures, verdict_line
from evalplus_run.report.summary import RunSummary
from evalplus_run.report.text import percent, shorten, visible

if TYPE_CHECKING:
    import jinja2

_LONGEST_PROGRAM = 8_000
_LONGEST_VALUE = 400
_ROOM = 1_500_000
"""Characters of HTML that the texts of one run may take: a page of 164 samples stays under 2 MB."""
_LEFT_OUT = "(left out: the page is full; samples.jsonl and verdicts.jsonl have it)"


@dataclass(frozen=True, slots=True)
class RunPage:
    """What the page shows of one run."""

    summary: RunSummary
    samples: Iterable[Sample]
    """In the order in which they are shown."""
    manifest: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Row:
    """A sample as the template sees it."""

    task_id: str
    index: int
    verdict: str
    outcome: str
    """`pass`, `fail`, or `open` where there is no verdict on the program: the class of the row."""
    failures: Sequence[tuple[str, Sequence[tuple[str, str]]]]
    program: str


def write_html(path: Path, runs: Sequence[RunPage]) -> None:
    """Write the page of one run, or of several beside each other."""
    from markupsafe import Markup

    style = files("evalplus_run.report").joinpath("templates/page.css").read_text(encoding="utf-8")
    page = (
        _environment()
        .get_template("page.html")
        .generate(
            style=Markup(style),  # noqa: S704 - our own file
            style_hash=b64encode(sha256(style.encode()).digest()).decode(),
            runs=[(run.summary, _manifest(run.manifest), _rows(run.samples)) for run in runs],
            wording=wording,
        )
    )
    with replacing(path) as stream:
        stream.writelines(page)


def _environment() -> jinja2.Environment:
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("evalplus_run.report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["percent"] = percent
    return environment


def _finalize(value: Any) -> Any:
    """Every text that is not markup yet loses its hidden characters before it is escaped."""
    return visible(value) if isinstance(value, str) and not hasattr(value, "__html__") else value


def _manifest(manifest: Mapping[str, Any]) -> str:
    return json.dumps(manifest, indent=2, ensure_ascii=False, default=str)


def _rows(samples: Iterable[Sample]) -> Iterator[_Row]:
    """Rows as the template asks for them, without failures and program once such texts have taken their room."""
    from markupsafe import escape

    room = _ROOM
    for sample in samples:
        row = _row(sample)
        room -= sum(len(escape(visible(text))) for text in _texts(row))
        yield row if room >= 0 else replace(row, program=_LEFT_OUT, failures=())


def _row(sample: Sample) -> _Row:
    failed = [
        (
            f"{wording.SUITE_TITLES[one.suite]}: {one.verdict.outcome}",
            [(label, shorten(text, _LONGEST_VALUE)) for label, text in failure_lines(one)],
        )
        for one in failures(sample)
    ]
    return _Row(
        task_id=sample.program.task_id,
        index=sample.program.index,
        verdict=verdict_line(sample),
        outcome=_mark(sample),
        failures=failed,
        program=shorten(sample.program.solution, _LONGEST_PROGRAM),
    )


def _mark(sample: Sample) -> str:
    outcomes = [one.verdict.outcome for one in failures(sample)]
    if sample.verdict is None or Outcome.HOST_FAULT in outcomes:
        return "open"
    return "fail" if outcomes else "pass"


def _texts(row: _Row) -> Iterator[str]:
    yield row.program
    for _, lines in row.failures:
        yield from (text for _, text in lines)
