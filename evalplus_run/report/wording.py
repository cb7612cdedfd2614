"""The words of a report, the same on the terminal and on the page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isnan

from evalplus_run.benchmarks.registry import RELEASES
from evalplus_run.metrics.flips import fewest_back
from evalplus_run.records import PROFILES, Estimate, Outcome, ProfileName, SampleId, Score, SuiteName
from evalplus_run.report.published import Beside, beside, consistency, unlike
from evalplus_run.report.summary import RunSummary, samples_a_task
from evalplus_run.report.text import percent
from evalplus_run.words import counted

SUITE_TITLES: Mapping[SuiteName, str] = {"base": "base", "plus": "base + plus"}
_CONSISTENT: Mapping[bool | None, str] = {True: "consistent", False: "not consistent", None: "open"}
_MOVED_SHOWN = 5
_NAMED = 3


def title(summary: RunSummary) -> str:
    """What was measured on what."""
    return f"{summary.label} on {summary.benchmark}"


def ways(summary: RunSummary) -> str:
    """How it was made: `greedy, n=1; sanitizer evalplus`."""
    return f"{drawn(summary.sampling, samples_a_task(summary))}; sanitizer {summary.sanitizer}"


def drawn(sampling: str, n: float) -> str:
    """How samples were drawn, with how many of each task."""
    return sampling if "n=" in sampling else f"{sampling}, n={n:g}"


def one_line(summary: RunSummary) -> str:
    """The headline figures of a run and where its files lie."""
    score = summary.scores["evalplus"]
    figures = [
        f"{SUITE_TITLES[suite]} pass@{k} {percent(one)}"
        for suite in summary.suites
        for k, one in score.of(suite).items()
        if not isnan(one.value)
    ]
    return f"{title(summary)}: {', '.join(figures)}; files: {summary.run_dir}"


def profiles_shown(summary: RunSummary) -> tuple[ProfileName, ...]:
    """The headline's profile, and the strict one where it says something else."""
    same = not summary.moved and _values(summary, "strict") == _values(summary, "evalplus")
    return ("evalplus",) if same else PROFILES


def _values(summary: RunSummary, profile: ProfileName) -> list[str]:
    score = summary.scores[profile]
    return [percent(one) for suite in summary.suites for one in score.of(suite).values()]


def score_notes(summary: RunSummary) -> Iterator[str]:
    """What the figures of the table are: profile, interval, coverage."""
    score = summary.scores["evalplus"]
    interval = f", with {intervals([summary])}" if any(not isnan(one.value) for one in score.base.values()) else ""
    comparable = ", comparable with published scores" if summary.comparable else ""
    judged = (
        f"as told by {summary.told_by}, without strict verdicts" if summary.told_by else "judged by EvalPlus's rules"
    )
    yield f"{summary.judge}: {judged}{comparable}{interval}."
    if not summary.comparable:
        yield f"Not comparable with published scores, because {_why_not_comparable(summary)}."
    yield from _drop_line(score) if "plus" in summary.suites else ()
    yield from _noise_line(score.of(summary.suites[-1]))
    yield from _sanitizer_line(summary)
    if any(isnan(one.value) for one in score.base.values()):
        yield "n/a: a task has fewer than k judged samples."
    faults = max(counts.get(Outcome.HOST_FAULT, 0) for counts in score.outcomes.values())
    if faults:
        yield f"{counted(faults, 'sample')} left out: the machine failed, not the program."


def intervals(summaries: Iterable[RunSummary]) -> str:
    """`95% intervals (Wilson)`: of which kind those of these runs are; where they are of two, which is whose."""
    scores = [summary.scores["evalplus"] for summary in summaries]
    kinds = {
        one.method: "one sample a task" if score.samples == score.tasks else "several"
        for score in scores
        for one in score.base.values()
        if not isnan(one.value)
    }
    if len(kinds) < 2:
        return " ".join(["95% intervals", *(f"({kind})" for kind in kinds)])
    named = ", ".join(f"{kind} for {whose}" for kind, whose in sorted(kinds.items(), key=lambda item: item[1]))
    return f"95% intervals ({named}; the latter are the wider on few tasks)"


def _drop_line(score: Score) -> Iterator[str]:
    drops = [f"{percent(one)} of pass@{k}" for k, one in score.drop.items() if not isnan(one.value)]
    if drops:
        yield f"The plus tests take {', '.join(drops)}."


def _noise_line(by_k: Mapping[int, Estimate]) -> Iterator[str]:
    told = [
        f"pass@{k} {one.sampling_error:.1%} and {one.tasks_error:.1%}".replace("%", "")
        for k, one in by_k.items()
        if one.sampling_error is not None and one.tasks_error is not None
    ]
    if told:
        yield f"Standard errors from sampling and from the choice of tasks: {', '.join(told)}."


def _why_not_comparable(summary: RunSummary) -> str:
    score = summary.scores["evalplus"]
    reasons = []
    if not any(one.is_published and (one.name, one.version) == (summary.dataset, summary.version) for one in RELEASES):
        reasons.append(f"{summary.dataset} {summary.version}".rstrip() + " is not known as a release of EvalPlus's")
    if is_partial(score):
        reasons.append(f"{score.tasks:,} of {counted(score.tasks_in_dataset, 'task')} are judged")
    if summary.sanitizer == "default":
        reasons.append("published ones clean as sanitizer=evalplus does")
    return " and ".join(reasons) or "it is not known that EvalPlus's rules judged EvalPlus's tests"


def _sanitizer_line(summary: RunSummary) -> Iterator[str]:
    """How many samples the other sanitizer would let pass, where it is known and any would."""
    found, is_default = summary.sanitizers, summary.sanitizer == "default"
    if found is None:
        if is_default:
            yield "The default sanitizer keeps programs that EvalPlus's loses."
        return
    more, fewer = (len(ids) for ids in (found.only_evalplus, found.only_default)[:: 1 if is_default else -1])
    told = [f"{more:,} more would pass"] * bool(more) + [f"{fewer:,} that pass would not"] * bool(fewer)
    if told:
        yield f"With sanitizer={'evalplus' if is_default else 'default'} {' and '.join(told)}."


def is_partial(score: Score) -> bool:
    """Whether some of the benchmark's tasks have no judged sample."""
    return score.tasks < score.tasks_in_dataset


def coverage_line(score: Score) -> str:
    """How much of the benchmark the score stands on."""
    partial = "Partial: " if is_partial(score) else ""
    return f"{partial}{score.tasks:,} of {score.tasks_in_dataset:,} tasks, {counted(score.samples, 'sample')}."


def outcome_rows(summary: RunSummary) -> Iterator[tuple[str, list[int]]]:
    """How many samples came to each outcome, suite by suite, under the evalplus profile."""
    outcomes = summary.scores["evalplus"].outcomes
    for outcome in Outcome:
        counts = [outcomes[suite].get(outcome, 0) for suite in summary.suites]
        if any(counts):
            yield outcome.value, counts


def published_lines(summary: RunSummary) -> Iterator[str]:
    """One sentence a suite: the published score, how far it is from ours, and whether they go together."""
    if summary.published is None:
        return
    score = summary.scores["evalplus"]
    for suite in summary.suites:
        published, estimate = summary.published.of(suite), score.of(suite).get(1)
        if published is not None and estimate is not None:
            told = _beside_published(published, estimate, score.tasks, " and ".join(unlike(summary)))
            yield f"{SUITE_TITLES[suite]}: published {100 * published:.1f} {told} ({summary.published.source})"


def _beside_published(published: float, estimate: Estimate, tasks: int, unlike: str) -> str:
    found = beside(published, estimate, tasks)
    if found is None:
        return "has no score here beside it"
    if unlike:
        return f"is not held against ours, since {unlike}"
    side = "above" if found.apart > 0 else "below"
    way = f"{abs(found.apart):,} of {counted(tasks, 'task')} {side} ours" if found.apart else "ours to the task"
    return f"is {way}, {_verdict(found, estimate, tasks)}"


def _verdict(found: Beside, estimate: Estimate, tasks: int) -> str:
    low, high = (100 * max(0.0, min(1.0, estimate.value + way * found.within / tasks)) for way in (-1, 1))
    chance = f"[{low:.1f}, {high:.1f}], where chance alone may put it on the same tasks"
    if found.is_consistent:
        return f"in {chance}: consistent"
    return f"outside {chance}: {'not consistent' if found.is_consistent is False else _open(found, tasks)}"


def _open(found: Beside, tasks: int) -> str:
    """What is known where the scores alone do not tell."""
    back = counted(fewest_back(found.apart, tasks), "task")
    ours, theirs = ("passes", "failed") if found.apart > 0 else ("fails", "passed")
    return (
        f"open, as it is more than chance unless {back} or more that ours {ours} {theirs} there, which no score tells"
    )


def consistent(summary: RunSummary) -> str:
    """In a word or two, whether the published scores and ours go together; empty where nothing is published."""
    if found := unlike(summary) if summary.published else []:
        return f"not held against ours: {' and '.join(found)}"
    words = {suite: _CONSISTENT[one] for suite, one in consistency(summary).items()}
    if len({*words.values()}) == 1:
        return next(iter(words.values()))
    return ", ".join(f"{SUITE_TITLES[suite]} {word}" for suite, word in words.items())


def moved_lines(summary: RunSummary) -> Iterator[str]:
    """How many samples the strict profile moves, and the first of them."""
    moved = [one for one in summary.moved if one.suite in summary.suites]
    if not moved:
        return
    samples = len({(one.task_id, one.index) for one in moved})
    left_out = f", tests left out: {summary.left_out}" if summary.left_out else ""
    how = f"each test stands alone, values compared by value{left_out}"
    yield f"strict: {how}; {counted(samples, 'sample')} moved:"
    for one in moved[:_MOVED_SHOWN]:
        yield f"  {one.task_id} #{one.index}, {SUITE_TITLES[one.suite]}: {one.evalplus} -> {one.strict}"
    if len(moved) > _MOVED_SHOWN:
        yield f"  and {len(moved) - _MOVED_SHOWN} more"


def sanitizer_lines(summary: RunSummary, *, whole: bool = False) -> Iterator[str]:
    """How many samples hang on the sanitizer, in each direction, and the first of them; with `whole`, all."""
    found = summary.sanitizers
    if found is None:
        return
    ways = {
        "with default": found.only_default,
        "with evalplus": found.only_evalplus,
        "cleaned": found.only_cleaned,
        "whole": found.only_whole,
    }
    told = [
        f"{len(samples):,} {way}{_named(samples, len(samples) if whole else _NAMED)}"
        for way, samples in ways.items()
        if samples
    ]
    yield f"Sanitizers: passing in one way only, of {counted(found.samples, 'sample')}: {', '.join(told) or 'none'}."


def _named(samples: Sequence[SampleId], most: int) -> str:
    names = ", ".join(f"{task_id} #{index}" for task_id, index in samples[:most])
    return f" ({names} and {len(samples) - most:,} more)" if len(samples) > most else f" ({names})"


def cost_lines(summary: RunSummary) -> Iterator[str]:
    """Seconds by stage, tokens, money, isolation: what is known of them."""
    if summary.seconds:
        yield "Time: " + ", ".join(f"{stage} {seconds:,.1f} s" for stage, seconds in summary.seconds.items())
    counts = {"prompt": summary.prompt_tokens, "new": summary.completion_tokens}
    tokens = [f"{count:,} {kind}" for kind, count in counts.items() if count is not None]
    speed = "" if summary.tokens_per_second is None else f" ({summary.tokens_per_second:,.1f} new tokens/s)"
    if tokens:
        yield f"Tokens: {', '.join(tokens)}{speed}"
    if summary.cost is not None:
        yield f"Cost: {summary.cost:,.4f}, in the currency of the prices that were given"
    yield f"Sandbox: {summary.sandbox}"
