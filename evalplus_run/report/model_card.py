"""The `model-index` of a model card on the Hugging Face hub, as YAML for the head of its README.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isnan
from typing import Any

from evalplus_run.records import Estimate, ProfileName, SuiteName
from evalplus_run.report.summary import RunSummary
from evalplus_run.report.text import visible
from evalplus_run.report.wording import SUITE_TITLES, profiles_shown

_HUB: Mapping[str, str] = {
    "humaneval": "openai/openai_humaneval",
    "humaneval_plus": "evalplus/humanevalplus",
    "mbpp_plus": "evalplus/mbppplus",
}
"""What the hub calls the benchmarks that it has."""


def as_model_card(summaries: Sequence[RunSummary], source: str = "") -> str:
    """The block of metadata between two lines of `---`, one entry for each model.

    Scores are between 0 and 1, as in most cards with pass@k; `source` is an address where they can be looked up.
    """
    import yaml

    entries = [
        {"name": _line(model), "results": [_result(one, source) for one in summaries if one.label == model]}
        for model in dict.fromkeys(one.label for one in summaries)
    ]
    text = yaml.safe_dump({"model-index": entries}, sort_keys=False, allow_unicode=True, width=10_000)
    return f"---\n{text}---\n"


def _result(summary: RunSummary, source: str) -> dict[str, Any]:
    version = {"revision": _line(summary.version)} if summary.version else {}
    told = {
        "task": {"type": "text-generation", "name": "Code generation"},
        "dataset": {
            "type": _HUB.get(summary.dataset, _line(summary.dataset)),
            "name": _line(summary.benchmark),
            "split": "test",
            "args": {**version, "variant": summary.variant},
        },
        "metrics": [metric for profile in profiles_shown(summary) for metric in _metrics(summary, profile)],
    }
    return told | ({"source": {"name": "evalplus-run", "url": _line(source)}} if source else {})


def _metrics(summary: RunSummary, profile: ProfileName) -> Iterator[dict[str, Any]]:
    score, judge = summary.scores[profile], _line(summary.judge_of(profile))
    for suite in summary.suites:
        for k, estimate in score.of(suite).items():
            if not isnan(estimate.value):
                yield {
                    "type": f"pass@{k}",
                    "name": f"pass@{k} ({SUITE_TITLES[suite]}, {judge})",
                    "value": _rounded(estimate.value),
                    "verified": False,
                    "args": {
                        "suite": SUITE_TITLES[suite],
                        "judge": judge,
                        **_interval(estimate),
                        **_published(summary, suite, k),
                        "tasks": score.tasks,
                        "samples": score.samples,
                        "sampling": _line(summary.sampling),
                        "sanitizer": summary.sanitizer,
                    },
                }


def _interval(estimate: Estimate) -> dict[str, float]:
    return {"low": _rounded(estimate.low), "high": _rounded(estimate.high)}


def _published(summary: RunSummary, suite: SuiteName, k: int) -> dict[str, float]:
    value = summary.published.of(suite) if summary.published and k == 1 else None
    return {} if value is None else {"published": _rounded(value)}


def _line(text: str) -> str:
    """On one line: those who read the head of a card look for its end before they look at quotes."""
    return " ".join(visible(text).split())


def _rounded(value: float) -> float:
    return round(value, 4)
