"""The end of a run: scores, EvalPlus's result file, the page, the table."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from evalplus_run.benchmarks.registry import RELEASES
from evalplus_run.config import Config
from evalplus_run.delivery import deliver
from evalplus_run.evaluate import errata
from evalplus_run.evaluate.suites import TaskTests
from evalplus_run.metrics.score import score
from evalplus_run.records import Completion, Dataset, Program, RunFailed, SampleId, UserError, Verdict
from evalplus_run.report.evalplus_format import write_results
from evalplus_run.report.html import write_html
from evalplus_run.report.page_data import RunPage
from evalplus_run.report.provenance import digests
from evalplus_run.report.sample import samples_in_order
from evalplus_run.report.summary import RunSummary, SanitizersCompared, moved_samples, read_scores, write_scores
from evalplus_run.report.terminal import print_run, results_console
from evalplus_run.report.wording import one_line
from evalplus_run.runs import RunFolder
from evalplus_run.sandbox import TierName, tiers
from evalplus_run.seal import seal


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What a run leaves to be told."""

    config: Config
    result: str
    """A hash of all that moves the result."""
    model: str
    """What the samples are from: the model, or the name of their file."""
    dataset: Dataset
    folder: RunFolder
    tier: TierName
    tests: Mapping[str, TaskTests]
    """Of all tasks, in the dataset's order."""
    programs: Sequence[Program]
    verdicts: Mapping[SampleId, Verdict]
    sanitizers: SanitizersCompared | None
    seconds: Mapping[str, float]
    completions: Mapping[SampleId, Completion] = field(default_factory=dict)
    """What programs were made of: a model's answers, or texts that were given and cleaned."""
    drawn: Sequence[Completion] = ()
    """Of the completions, those that this run itself drew."""
    warnings: tuple[str, ...] = ()
    in_sweep: bool = False
    """One line in the place of the table: the sweep has one of all runs."""
    say: Callable[[str], None] = print
    """Shows a line beside the results."""


def conclude(ran: Ran) -> RunSummary:
    """Write all the files that tell the result, print the table, and give back what it says."""
    summary = _summary(ran)
    # The tasks with their inputs as they were judged.
    tasks = {task_id: tests.task for task_id, tests in ran.tests.items()}
    samples = samples_in_order(tasks, ran.programs, ran.verdicts, ran.completions)
    try:
        write_scores(ran.folder.scores, summary)
        write_results(ran.folder.eval_results, ran.dataset, samples, summary.scores["evalplus"], datetime.now(UTC))
        manifest = ran.folder.read_manifest() or {}
        write_html(ran.folder.report, [RunPage(summary, samples, manifest, digests(ran.folder.results))])
        seal(ran.folder, ran.result)
    except OSError as error:
        raise RunFailed(f"Cannot write the results to {ran.folder.path} ({error.strerror}).") from error
    _print(summary, ran)
    deliver(ran.folder, ran.config.report, ran.say)
    return summary


def _print(summary: RunSummary, ran: Ran) -> None:
    if ran.in_sweep:
        ran.say(one_line(summary))
        return
    console = results_console()
    print_run(summary, console)
    if ran.folder.is_part:
        console.print(f"The larger result in {ran.folder.whole} stays as it is.", soft_wrap=True, markup=False)
    elif ran.config.dataset.limit is not None:
        console.print("The whole benchmark: the same command with dataset.limit=null; it goes on from here.")


def _summary(ran: Ran) -> RunSummary:
    before = _before(ran)
    scores = score(ran.verdicts.values(), tasks_in_dataset=ran.dataset.size, ks=ran.config.k or None)
    prompt_tokens, new_tokens = _tokens(ran.completions.values())
    has_plus = any(task.plus_inputs for task in ran.dataset.tasks)
    return RunSummary(
        dataset=ran.dataset.name,
        version=ran.dataset.version,
        variant=ran.dataset.variant,
        suites=("base", "plus") if has_plus else ("base",),
        model=ran.model,
        name=ran.config.report.name,
        sampling=_sampling_words(ran.config),
        temperature=_temperature(ran.config),
        sanitizer=ran.config.sanitizer.name,
        comparable=_is_comparable(ran),
        run_dir=str(ran.folder.path),
        sandbox=tiers.words(ran.tier, ran.config.sandbox.wrapper),
        left_out=errata.read(ran.config.evaluate.errata, ran.dataset.sha256).told,
        scores=scores,
        published=ran.config.published.get(ran.dataset.name),
        moved=moved_samples(ran.verdicts.values()),
        sanitizers=ran.sanitizers,
        prompt_tokens=prompt_tokens,
        completion_tokens=new_tokens,
        tokens_per_second=before.tokens_per_second if before else _speed(ran),
        seconds={stage: round(seconds, 3) for stage, seconds in _seconds(ran, before).items()},
        cost=_cost(ran),
        warnings=_warnings(ran),
    )


def _is_comparable(ran: Ran) -> bool:
    official = any(release.sha256 == ran.dataset.sha256 and release.is_published for release in RELEASES)
    whole = len({task_id for task_id, _ in ran.verdicts}) == ran.dataset.size
    whole = whole and not ran.config.evaluate.shard
    return official and whole and ran.config.sanitizer.name != "default"


def _sampling_words(config: Config) -> str:
    shard = config.evaluate.shard
    return f"{_drawing_words(config)}{f', shard {shard}' if shard else ''}"


def _drawing_words(config: Config) -> str:
    if config.model is None:
        return "given samples"
    sampling, prompt = config.sampling, config.prompt
    if config.model.kind == "replay":
        words = ["replayed answers"] if sampling.n == 1 else ["replayed answers", f"n={sampling.n}"]
        # What the run is told, though nobody draws: runs of a sweep must be told apart.
        return ", ".join(words + ([f"temperature {sampling.temperature:g}"] if sampling.temperature else []))
    if sampling.temperature == 0:
        words = ["greedy"] if sampling.n == 1 else ["greedy", f"n={sampling.n}"]
    else:
        words = [f"n={sampling.n}", f"temperature {sampling.temperature:g}", f"top_p {sampling.top_p:g}"]
    words += [] if prompt.thinking == "auto" else [f"thinking {prompt.thinking}"]
    words += [] if prompt.style == "evalplus" else [f"prompt {prompt.style}"]
    return ", ".join(words)


def _temperature(config: Config) -> float | None:
    """Of replayed answers, what the run is told; the default tells nothing of them."""
    if config.model is None or (config.model.kind == "replay" and not config.sampling.temperature):
        return None
    return config.sampling.temperature


def _tokens(answers: Collection[Completion]) -> tuple[int | None, int | None]:
    """Prompt and new tokens of all answers; None where the engine did not tell them of every one."""

    def total(counts: list[int | None]) -> int | None:
        known = [count for count in counts if count is not None]
        return sum(known) if known and len(known) == len(counts) else None

    return total([row.prompt_tokens for row in answers]), total([row.completion_tokens for row in answers])


def _speed(ran: Ran) -> float | None:
    """New tokens a second of this run's own sampling."""
    _, new_tokens = _tokens(ran.drawn)
    seconds = ran.seconds.get("sampling", 0.0)
    return round(new_tokens / seconds, 1) if new_tokens and seconds > 0 else None


def _before(ran: Ran) -> RunSummary | None:
    """What an earlier run wrote here, where this one drew nothing: its times are those of the samples."""
    if ran.drawn or not ran.completions:
        return None
    try:
        return read_scores(ran.folder.scores)
    except UserError:
        return None


def _seconds(ran: Ran, before: RunSummary | None) -> Mapping[str, float]:
    kept = (
        {stage: before.seconds[stage] for stage in ("loading", "sampling") if stage in before.seconds} if before else {}
    )
    return {**ran.seconds, **kept}


def _cost(ran: Ran) -> float | None:
    costs = [completion.cost for completion in ran.completions.values() if completion.cost is not None]
    return sum(costs) if costs else None


def _warnings(ran: Ran) -> tuple[str, ...]:
    sandbox = tiers.warning(ran.tier, ran.config.sandbox.wrapper)
    return tuple(text for text in (sandbox, _nothing_published(ran), *ran.warnings) if text)


def _nothing_published(ran: Ran) -> str:
    """Where scores are given, but of other benchmarks alone: in a sweep over these, or by a mistake."""
    given = ran.config.published
    if not given or ran.dataset.name in given:
        return ""
    return f"published has scores of {', '.join(given)}, and none of {ran.dataset.name}."
