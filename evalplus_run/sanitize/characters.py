"""Characters that stand between a model's text and Python, and other ways to read a text that is no program yet."""

from __future__ import annotations

import html
import re
import textwrap
from collections.abc import Callable, Iterator

from evalplus_run.sanitize.lines import without_strings
from evalplus_run.sanitize.syntax import parses

_ANSI = re.compile(r"\x1b(?:[@-Z\\-_]|\[[0-?]*[ -/]*[@-~])")
_NEVER = re.compile(r"[\0\ud800-\udfff]")
_NEWLINE = re.compile(r"\r\n?")
# Numbers come with a mark of ours in place of `#`, which would begin a comment; without it `x &1;` would be one.
_ENTITY = re.compile(r"&(?:lt|gt|amp|quot|apos|nbsp|[#\1](?:\d{2,5}|[xX][\da-fA-F]{2,4}));")
_INDENTED = re.compile(r"(?m)(?:^(?:[ \t]++\S.*|[ \t]*+)(?:\n|\Z))+")
_HEADER = re.compile(r"(?:async|class|def|if|for|while|try|with|else|elif|except|finally|match)\b.*:[ \t]*(?:#.*)?\n")
_DOCTEST = re.compile(r"(?m)^[ \t]*+(?:>>>|\.\.\.|In \[\d+\]:|\.\.\.:)(?: |$)(.*)$")
_INLINE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_QUOTED = re.compile(r"(?m)^[ \t]*+>(?!>)[ ]?")
_SPACES = dict.fromkeys([0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000], " ")
_NOTHING = dict.fromkeys([0xAD, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x206A), 0xFEFF])
_WIDE = {wide: chr(wide - 0xFEE0) for wide in range(0xFF01, 0xFF5F)}
_PLAIN = {
    **dict.fromkeys(map(ord, "\u201c\u201d\u201e\u201f\u2033\xab\xbb"), '"'),
    **dict.fromkeys(map(ord, "\u2018\u2019\u201a\u201b\u2032"), "'"),
    **dict.fromkeys(map(ord, "\u2212\u2010\u2011\u2013\u2014"), "-"),
    **dict(zip(map(ord, "\xd7\xf7\u2264\u2265\u2260\u2026"), ["*", "/", "<=", ">=", "!=", "..."], strict=True)),
}
_LOOKALIKES: dict[int, str | None] = {**_SPACES, **_NOTHING, **_WIDE, **_PLAIN}
_LOOKALIKE = re.compile("[" + "".join(map(chr, _LOOKALIKES)) + "]")


def clean(text: str | None) -> str:
    """The text without what no program can hold: null characters, lone surrogates, a byte order mark in front.

    Line ends become those that Python itself reads. A program means the same before and after.
    """
    return _NEWLINE.sub("\n", _NEVER.sub("", text or "")).removeprefix("\ufeff")


def plain(text: str) -> str:
    """The text without terminal colours."""
    return _ANSI.sub("", text)


def readings(text: str) -> Iterator[tuple[str, str]]:
    """The ways to read a text as code, the most faithful first, each with what was done; the first does nothing.

    One that parses is the last: there is nothing left to be mended.
    """
    for done, changed in _all_readings(text):
        yield done, changed
        if parses(changed):
            return


def _all_readings(text: str) -> Iterator[tuple[str, str]]:
    escaped = is_escaped(text)
    done: list[str] = []
    if not escaped:
        yield "", text
    for name, change in _changes(escaped=escaped):
        changed = change(text)
        if changed != text:
            text = changed
            done.append(name)
            yield ", ".join(done), text
    for name, extract in (("inline code", _INLINE), ("what was typed at prompts", _DOCTEST)):
        if parts := extract.findall(text):
            yield ", ".join([*done, name]), "\n".join(parts) + "\n"


def is_escaped(text: str) -> bool:
    """Whether HTML entities stand where code is, not only inside strings and comments."""
    code = without_strings(text.replace("&#", "&\1")) if _ENTITY.search(text) else ""
    return _ENTITY.search(code) is not None


def outdent(text: str) -> str:
    """The text with each run of indented lines, blocks of a statement aside, moved to the first column."""
    return _INDENTED.sub(lambda run: run[0] if _is_block(text, run.start()) else textwrap.dedent(run[0]), text)


def indented_runs(text: str) -> list[str]:
    """The runs of indented lines, blocks of a statement aside."""
    runs = [run for run in _INDENTED.finditer(text) if run[0].strip() and not _is_block(text, run.start())]
    return [run[0].strip("\n") for run in runs]


def _is_block(text: str, start: int) -> bool:
    """Whether the line above begins a block of Python."""
    above = text.rfind("\n", 0, max(0, start - 1)) + 1
    return _HEADER.match(text, above, start) is not None


def _changes(*, escaped: bool) -> Iterator[tuple[str, Callable[[str], str]]]:
    if escaped:
        yield "HTML unescaped", _unescape
    yield "typographic characters replaced", _replace_lookalikes
    yield "tabs to spaces", _untab
    yield "quotation marks of the lines removed", lambda text: _QUOTED.sub("", text)
    yield "indentation removed", outdent


def _unescape(text: str) -> str:
    changed = html.unescape(text)
    while changed != text:
        text, changed = changed, html.unescape(changed)
    return text


def _untab(text: str) -> str:
    """Tabs as wide as the spaces that stand in for some of them."""
    wide = text.expandtabs(8)
    return wide if wide != text and parses(wide) else text.replace("\t", "    ")


def _replace_lookalikes(text: str) -> str:
    return text.translate(_LOOKALIKES) if _LOOKALIKE.search(text) else text
