"""What this machine can do: isolation, engines, launchers, trackers, keys, datasets, one task end to end.

And whether the isolation holds.
"""

from __future__ import annotations

import itertools
import os
import platform
import shutil
from collections.abc import Iterator
from typing import Literal

from evalplus_run import __version__
from evalplus_run.benchmarks import DatasetSettings, load
from evalplus_run.conformance import LOCKED_TIERS, Finding, conform
from evalplus_run.evaluate.judging import Rules, judge
from evalplus_run.evaluate.references import prepare
from evalplus_run.evaluate.settings import EvaluateSettings
from evalplus_run.launchers import LAUNCHERS, SLURMS
from evalplus_run.machine import usable_cores
from evalplus_run.models.registry import is_installed
from evalplus_run.records import Program, RunFailed, UserError
from evalplus_run.sandbox import TierName, memory, tiers
from evalplus_run.sandbox.settings import SandboxSettings, WrapperName
from evalplus_run.sandbox.worker import Worker
from evalplus_run.sandbox.wrappers import WRAPPERS
from evalplus_run.sinks import registry as sinks

_ENGINES = {
    "openai": "openai",
    "anthropic": "anthropic",
    "google": "google.genai",
    "bedrock": "boto3",
    "llama_cpp": "xllamacpp",
    "transformers": "transformers",
    "vllm": "vllm",
}
"""Kinds of models and the module that each needs."""
_KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "AWS_ACCESS_KEY_ID")


def examine() -> None:
    """Print the findings; raises RunFailed where no program can be judged here."""
    print(f"evalplus-run {__version__}, Python {platform.python_version()}, {usable_cores()} usable cores")  # noqa: T201
    for title, lines in (
        ("Isolation", _isolation()),
        ("Engines", _engines()),
        ("Many machines", _many_machines()),
        ("Trackers", _trackers()),
        ("Keys", _keys()),
        ("Datasets", _datasets()),
        ("End to end", _end_to_end()),
    ):
        print(f"\n{title}")  # noqa: T201
        for line in lines:
            print(f"  {line}")  # noqa: T201


def examine_sandbox(tier: TierName | Literal["auto"], wrapper: WrapperName) -> None:
    """Print what came of the conformance suite in this tier, or in each that starts here, inside the wrapper.

    Raises RunFailed where a promise is broken or no tier starts, UserError where what is asked for does not start.
    """
    chosen = tiers.choose_tier(SandboxSettings(tier=tier, wrapper=wrapper, allow_unsafe=True))
    some = _started(wrapper) if tier == "auto" else [chosen]
    broken = [finding for each in some for finding in _tell_tier(each, wrapper) if finding.broken]
    if broken:
        places = ", ".join(dict.fromkeys(finding.tier for finding in broken))
        raise RunFailed(f"The sandbox breaks its promise on {len(broken)} programs ({places}).")


def _started(wrapper: WrapperName) -> list[TierName]:
    reasons = {tier: tiers.why_not(tier, wrapper) for tier in LOCKED_TIERS}
    started = [tier for tier, reason in reasons.items() if not reason]
    if not started:
        told = "; ".join(f"{tier}: {reason}" for tier, reason in reasons.items())
        raise RunFailed(f"No tier that isolates programs starts on this machine ({told}).")
    return started


def _tell_tier(tier: TierName, wrapper: WrapperName) -> Iterator[Finding]:
    """Print a line for each kind of program as it is done, and what is wrong."""
    print(f"\n{tiers.words(tier, wrapper)}")  # noqa: T201
    for kind, findings in itertools.groupby(conform(tier, wrapper), key=lambda finding: finding.program.kind):
        told = list(findings)
        kept = sum(not finding.broken for finding in told)
        print(f"  {kind:<14} {kept} of {len(told)} as promised, {sum(each.seconds for each in told):.1f} s")  # noqa: T201
        for finding in told:
            if finding.broken:
                print(f"    {finding.program.name}, which {finding.program.says}: {'; '.join(finding.broken)}")  # noqa: T201
        yield from told


def _isolation() -> Iterator[str]:
    for tier in tiers.STRONGEST_FIRST:
        reason = tiers.why_not(tier)
        yield f"{tier:<14} {f'no: {reason}' if reason else 'yes'}"
    for name in WRAPPERS:
        yield f"{name:<14} {_wrapped(name)}"


def _wrapped(name: WrapperName) -> str:
    lacking = WRAPPERS[name].missing("")
    if lacking:
        return f"no: {lacking}"
    tier = tiers.strongest(name)
    return f"yes, around {tier}" if tier else f"no: {tiers.why_not('none', name)}"


def _engines() -> Iterator[str]:
    for kind, module in _ENGINES.items():
        extra = kind.replace("_", "-")
        yield _extra(kind, extra, is_there=is_installed(module))


def _many_machines() -> Iterator[str]:
    yield _extra("ray", "ray", is_there=is_installed("ray"))
    for extra in sorted({launcher.extra for launcher in LAUNCHERS.values()} - {""}):
        yield _extra(extra, extra, is_there=is_installed(f"hydra_plugins.hydra_{extra}_launcher"))
    for command in SLURMS:
        yield f"{command:<14} {shutil.which(command) or 'no: this is no machine of a Slurm cluster'}"


def _trackers() -> Iterator[str]:
    for name in sinks.VARIABLES:
        yield _extra(name, name, is_there=sinks.is_installed(name))


def _extra(name: str, extra: str, *, is_there: bool) -> str:
    remedy = f"no: pip install 'evalplus-run[{extra}]'"
    return f"{name:<14} {'yes' if is_there else remedy}"


def _keys() -> Iterator[str]:
    for name in _KEYS:
        yield f"{name:<18} {'set' if os.environ.get(name) else 'not set'}"


def _datasets() -> Iterator[str]:
    for name in ("humaneval_plus", "mbpp_plus", "humaneval", "example"):
        try:
            dataset = load(DatasetSettings(name=name))
        except UserError as error:
            yield f"{name:<14} no: {error}"
        else:
            yield f"{name:<14} {dataset.version}, {dataset.size} tasks, {dataset.source}"


def _end_to_end() -> Iterator[str]:
    task = load(DatasetSettings(name="example")).tasks[0]
    settings = SandboxSettings(allow_unsafe=True)
    tier = tiers.choose_tier(settings)
    rules = Rules(memory.at_most(settings.memory << 20), EvaluateSettings(), tier)
    with Worker(tier) as worker:
        verdict = judge(worker, prepare(worker, task, rules), Program(task.task_id, 0, task.reference), rules)
    if not verdict.evalplus.passed:
        raise RunFailed(f"The reference of the example does not pass here: {verdict.evalplus}")
    yield f"{task.task_id} judged in {tier}: its reference passes"
