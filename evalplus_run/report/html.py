"""The page: one file that opens from disk, asks nothing of the network and runs no script but its own.

A model's text is hostile. What stands in the page as HTML is escaped by the template engine; all that the script
shows lies in data blocks that no text can close, and the script puts it into text nodes alone. The page's own
Content-Security-Policy allows its one style sheet and its one script, by their hashes, and nothing else.
"""

from __future__ import annotations

import functools
import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from evalplus_run.files import replacing
from evalplus_run.report import page_comparison, wording
from evalplus_run.report.benchmark_card import Card, card
from evalplus_run.report.page_comparison import PageComparison
from evalplus_run.report.page_data import Group, RunPage, groups, warnings
from evalplus_run.report.page_index import index
from evalplus_run.report.page_texts import pack, plain
from evalplus_run.report.text import p_value, percent, points, visible
from evalplus_run.words import counted

if TYPE_CHECKING:
    import jinja2

_SCRIPTS = (
    "elements",
    "data",
    "python",
    "difference",
    "charts",
    "tables",
    "comparison",
    "settings",
    "samples",
    "sample",
    "keyboard",
    "page",
)
"""In the order in which they stand in the page's one script."""


def write_html(path: Path, runs: Sequence[RunPage]) -> None:
    """Write the page of one run, or of several beside each other. Raises OSError."""
    from markupsafe import Markup

    style, script = _template("page.css"), "\n".join(_template(f"script/{name}.js") for name in _SCRIPTS)
    script = f'"use strict";\n{script}'
    benchmarks = groups(runs)
    named = sorted((run for group in benchmarks for run in group.runs), key=lambda run: run.number)
    texts = pack(benchmarks)
    page = (
        _environment()
        .get_template("page.html")
        .generate(
            style=Markup(style),  # noqa: S704 - our own file
            style_hash=_hash(style),
            script=Markup(script),  # noqa: S704 - our own files
            script_hash=_hash(script),
            groups=[_Section(group, card(group), page_comparison.in_pairs(group)) for group in benchmarks],
            runs=named,
            warnings=warnings(named),
            index=_data(index(benchmarks, texts.places)),
            chunks=texts.chunks,
            wording=wording,
            comparison=page_comparison,
        )
    )
    with replacing(path) as stream:
        stream.writelines(page)


@dataclass(frozen=True, slots=True)
class _Section:
    """What the template shows of one benchmark."""

    group: Group
    card: Card
    pairs: PageComparison


@functools.cache
def _environment() -> jinja2.Environment:
    """With the templates that it has compiled: a sweep writes many pages."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("evalplus_run.report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(percent=percent, points=points, p_value=p_value, counted=counted)
    environment.filters.update(manifest=_manifest, last_part=_last_part)
    return environment


def _finalize(value: Any) -> Any:
    """Every text that is not markup yet loses its hidden characters before it is escaped."""
    return visible(value) if isinstance(value, str) and not hasattr(value, "__html__") else value


def _manifest(manifest: Mapping[str, Any]) -> str:
    return json.dumps(manifest, indent=2, ensure_ascii=False, default=str)


def _last_part(source: str) -> str:
    """An address as it is; of a path, which tells whose machine it was, the name alone."""
    return source if "://" in source else PurePath(source).name or source


def _data(value: Any) -> Any:
    """JSON for a script element: ASCII alone, and nothing in it that could end the element or begin a comment."""
    from markupsafe import Markup

    text = json.dumps(plain(value), separators=(",", ":"))
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)  # noqa: S704 - only what JSON and the line above leave


def _template(name: str) -> str:
    return files("evalplus_run.report").joinpath(f"templates/{name}").read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return b64encode(sha256(text.encode()).digest()).decode()
