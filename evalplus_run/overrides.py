"""What the user types for Hydra, checked and quoted before Hydra sees it.

Hydra's own grammar turns `1e5` into a number, refuses `a=b` or `m#1` in a value, and accepts `+modle.name=x`
without a word. Here every key is looked up in the schema first, and a value whose key takes text is quoted so
that it arrives letter by letter.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evalplus_run import config, launchers
from evalplus_run.records import UserError

_OVERRIDE = re.compile(r"(?P<mark>\+\+|\+|~)?(?P<key>[^=]*)(?P<rest>=(?P<value>.*))?\Z", re.DOTALL)
_SWEEP = re.compile(r"(choice|range|interval|glob|sort|shuffle|tag|extend_list)\s*\(", re.ASCII)
_LIST = re.compile(r"\[.*\]", re.DOTALL)
_LISTED = re.compile(r"""\s*(?P<each>'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|(?:\\,|[^,])*?)\s*,""", re.DOTALL)
"""One of the values that commas list, quoted or not, with the comma behind it."""
_ESCAPE = re.compile(r"\\[nrt]")
_HYDRAS_ESCAPE = re.compile(r"\\([\\()\[\]{}:=,'\s])")
_REFERENCE = re.compile(r"\$\{[^:}]*\}")
_ESCAPES_READ = ("sampling.stop",)
_NO_RESULT_MOVES = ("sweep.", "executor")
"""How keys begin that set where and how fast, not what."""
_MAY_BE_NULL = ("model", "experiment")
"""Groups of which nothing need be chosen."""


@dataclass(frozen=True, slots=True)
class Grammar:
    """What overrides may name: the config groups with their options, and whether commas make a sweep."""

    groups: Mapping[str, Sequence[str]]
    multirun: bool


def prepare(text: str, grammar: Grammar) -> str:
    """One override as Hydra shall see it; UserError where the key, the option or the value cannot be."""
    match = _OVERRIDE.match(text)
    mark, key, value = match["mark"] or "", match["key"], match["value"]  # type: ignore[index]
    if key == "hydra.sweep.dir":
        # Hydra's own name for what is the folder of all runs here.
        return prepare(f"sweep.dir={value}", grammar)
    if key.startswith(("hydra/launcher", "hydra.launcher")):
        if not grammar.multirun:
            raise UserError(f"{text} is for sweeps: give -m too, or leave it out.")
        if key == "hydra/launcher":
            launchers.check(value or "")
    if key == "hydra/sweeper":
        raise UserError(f"{text}: a sweep here is what commas list (or choice(…), range(…)); leave hydra/sweeper out.")
    if key.startswith(("hydra.", "hydra/")):
        return text
    name = key.partition("@")[0].lstrip("/")
    if name in grammar.groups:
        if value == "null" and name in _MAY_BE_NULL:
            return f"~{name}"
        _check_option(name, value, grammar)
        return f"{name}={value}" if value is not None and mark != "~" else text
    if value is None and mark != "~":
        raise UserError(f"{text} is neither a command nor KEY=VALUE; evalplus-run --help lists both.")
    return _leaf(mark, config.find_key(key), value, grammar)


def models_first(texts: Iterable[str]) -> list[str]:
    """The same overrides in the order in which a sweep loads each model once: what comes first varies slowest."""
    return sorted(texts, key=lambda text: not text.lstrip("+~").startswith(("model", "experiment")))


def _check_option(group: str, value: str | None, grammar: Grammar) -> None:
    options = grammar.groups[group]
    chosen = [] if value is None or _SWEEP.match(value) else [value]
    if grammar.multirun and chosen:
        chosen = [part.strip() for part in chosen[0].split(",")]
    for each in chosen:
        if each.strip("'\"") not in options:
            near = _nearest(each, options)
            hint = f"did you mean {group}={near}? " if near else ""
            raise UserError(f"There is no {group}={each}: {hint}The choices are {listed(options)}.")


def _nearest(text: str, options: Sequence[str]) -> str | None:
    """One that goes on from this text, with its folder or without, before one that only looks like it."""
    last = {option.rpartition("/")[2]: option for option in options}
    begun = [option for name, option in last.items() if text and (name.startswith(text) or option.startswith(text))]
    near = [*difflib.get_close_matches(text, options, 1, 0.5), *difflib.get_close_matches(text, last, 1, 0.5)]
    return next((last.get(name, name) for name in (*begun, *near)), None)


def listed(options: Sequence[str]) -> str:
    """In words, `a, b, folder/{c, d}`: those of a folder together."""
    folders: dict[str, list[str]] = {}
    for option in options:
        folder, _, name = option.rpartition("/")
        folders.setdefault(folder, []).append(name)
    alone = folders.pop("", [])
    return ", ".join([*alone, *(f"{folder}/{{{', '.join(names)}}}" for folder, names in folders.items())])


def _leaf(mark: str, key: config.Key, value: str | None, grammar: Grammar) -> str:
    if mark == "~":
        return f"~{key.path}"
    assert value is not None  # noqa: S101 - for the type checker
    if grammar.multirun and key.path.startswith("sweep.") and _differs(value):
        raise UserError(f"{key.path}={value} is not one value for all jobs of the sweep: write it out.")
    if config.accepts_text(key):
        value = _as_text(key.path, value, grammar)
    # The schema has been asked already, so Hydra need not: ++ sets a key whether or not a file names it.
    return f"++{key.path}={value}"


def _differs(value: str) -> bool:
    """Whether it may be another for each job: a list, a choice, what another key holds."""
    is_one = len(_LISTED.findall(f"{value},")) == 1 and not _SWEEP.match(value)
    return not is_one or _REFERENCE.search(value) is not None


def _as_text(path: str, value: str, grammar: Grammar) -> str:
    if path not in _ESCAPES_READ and _ESCAPE.search(value):
        raise UserError(
            f"{path} holds an escape ({_ESCAPE.search(value)[0]}): values are taken letter by letter. "  # type: ignore[index]
            "Text with line breaks goes into prompt.template's file, or into a YAML file of your own (--config-dir)."
        )
    if not grammar.multirun:
        return _quoted_once(value)
    if _SWEEP.match(value) or _LIST.fullmatch(value):
        return value
    listed = [match["each"] for match in _LISTED.finditer(f"{value},")]
    if len(listed) > 1 and "" in listed:
        raise UserError(
            f"{path}={value} lists a value that is empty: take a comma out, or quote the value that has it: '…,…'."
        )
    return ",".join(_quoted_once(each.replace(r"\,", ",")) for each in listed)


def _quoted_once(value: str) -> str:
    is_quoted = len(value) > 1 and value[0] in "'\"" and value[-1] == value[0]
    return value if is_quoted or value == "null" else quote(value)


def quote(value: str) -> str:
    """As a quoted string of Hydra's grammar, which reads a backslash only before a quote or at the end."""
    escaped = re.sub(r"(\\*)(')", lambda m: m[1] * 2 + r"\'", value)
    trailing = re.search(r"\\*\Z", escaped)
    return f"'{escaped}{trailing[0] if trailing else ''}'"


def unquoted(text: str) -> str:
    """An override without the quotes and escapes of its value, to be read by people."""
    key, sign, value = text.partition("=")
    is_quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "'\""
    return key + sign + _HYDRAS_ESCAPE.sub(r"\1", value[1:-1] if is_quoted else value)


def words(task: Iterable[str]) -> tuple[str, ...]:
    """A job's overrides, as Hydra has them, as the user typed them; without those that all jobs of a sweep share."""
    typed = (unquoted(text.lstrip("+")) for text in task)
    return tuple(text for text in typed if not text.startswith(_NO_RESULT_MOVES))


def groups_in(folders: Sequence[Path]) -> dict[str, list[str]]:
    """The config groups and their options, from the folders that hold them (the package's, and the user's)."""
    found: dict[str, set[str]] = {}
    for folder in folders:
        for path in sorted(folder.rglob("*.yaml")):
            group = path.parent.relative_to(folder).as_posix()
            if group != "." and not group.startswith("hydra"):
                top, _, below = group.partition("/")
                found.setdefault(top, set()).add(f"{below}/{path.stem}" if below else path.stem)
    return {group: sorted(options) for group, options in found.items()}
