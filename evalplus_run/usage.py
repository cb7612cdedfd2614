"""What `evalplus-run --help` prints; made from the schema and `conf/` without importing Hydra."""

from __future__ import annotations

import dataclasses
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evalplus_run import config, launchers, overrides
from evalplus_run.launch import config_dir
from evalplus_run.models.registry import SETTINGS as MODEL_SETTINGS

_WIDTH = 100
_INTRODUCTION = """\
evalplus-run: from a code model to a pass@k on HumanEval+, MBPP+ and your own benchmarks.

  evalplus-run experiment=quickstart                       a small local model on 20 tasks, nothing to set up
  evalplus-run model=openai model.name=gpt-4.1 dataset=humaneval_plus
  evalplus-run samples=FILE dataset=humaneval_plus         judge samples that exist already
  evalplus-run -m model=... sampling.temperature=0.2,0.8   a sweep: every combination of what commas list

  evalplus-run report DIR...                               the table of finished runs
  evalplus-run compare DIR DIR...                          whether runs differ, by how much, on which tasks
  evalplus-run show DIR TASK                               one sample in full; --shrink: a small failing input
  evalplus-run export DIR OUT                              its samples and verdicts, as other tools write them
  evalplus-run sanitize IN OUT --dataset D                 the sanitizer alone
  evalplus-run inputs dataset=D                            plus inputs for a benchmark that has none
  evalplus-run reduce dataset=D                            few plus tests that keep the strength of all
  evalplus-run audit --dataset D                           which tests of a benchmark are wrong themselves
  evalplus-run doctor                                      what this machine can do
  evalplus-run doctor --sandbox                            whether its isolation of programs holds

The same command run again goes on where it stopped. Exit status: 0 done, 2 wrong use, 1 the run failed,
128 and its number where a signal ended it."""

INPUTS = """\
usage: evalplus-run inputs dataset=D [testgen.n=1000] [testgen.seed=0] [model=M] [samples=FILE] [KEY=VALUE ...]

Make plus inputs for a benchmark from its own inputs: typed mutation, guided by the branches of the reference and by
mutants of it; all programs run in the sandbox. The same command makes the same inputs, goes on where it stopped,
and writes the benchmark with them into outputs/D/inputs-ID/. Keys as in evalplus-run --help: dataset, testgen,
sandbox, executor.workers, run_dir.

With a model (and prompt.system, prompt.thinking, sampling, as in a run) it is shown each task's reference, contract and
some inputs, and asked testgen.calls times for more: hard ones, corner cases, complex ones. Literals alone are taken of
its answers, which are kept in answers-ID.jsonl; model=replay model.path=FILE takes recorded ones.
With samples (a file or folder as in a run, or a list: samples=[A,B]) up to testgen.programs different programs of each
task that are right on its base inputs run beside the mutants; an input that tells one from the reference, or splits
those that agreed so far, is kept and preferred."""

REDUCE = """\
usage: evalplus-run reduce dataset=D [reduce.tests=15] [samples=FILE|[A,B]] [KEY=VALUE ...]

Choose few plus tests of a benchmark that keep the strength of all: its base tests stay, and reduce.tests for each task
on average are taken where they add most. What a test is worth is told by the mutants of the reference that it kills,
the branches that it reaches, the wrong programs that it catches, and by what is unlike other inputs in it. With
reduce.tests=0 the fewest tests are taken that kill and reach all that the whole suite does.
samples are programs of models, a file or folder for each; of two and more it is told how many wrong programs of a model
are caught by tests that were chosen without it. All programs run in the sandbox and are judged by the strict rules.
It goes on where it stopped, and writes the benchmark, the kill matrix (tasks.jsonl) and where the tests come from
(chosen.jsonl) into outputs/D/reduced-ID/. Keys as in evalplus-run --help: dataset, samples, reduce, evaluate.errata,
sandbox, executor.workers, run_dir."""

_ENVIRONMENT = """\
Environment:
  EVALPLUS_RUN_CACHE                  where datasets, models, references and verdicts are kept
                                      (default: the user's cache folder)
  EVALPLUS_RUN_DATA                   a folder that holds official dataset files already
  HUMANEVAL_OVERRIDE_PATH, MBPP_OVERRIDE_PATH
                                      EvalPlus's own: a dataset file in place of the official one
  OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY
                                      the key of model=openai, anthropic or google, unless model.api_key_env
                                      names another; model=bedrock finds AWS's as its own tools do"""

_SWEEPS = """\
  Ctrl-C ends the jobs with the command. Where a command was killed, those in Slurm's queue go on: the
  same command names them, and its own jobs wait for them. Jobs and runs hold locks (flock) in the folders
  that they write to. On one machine these go with the process; on a shared folder they are the file
  server's: NFS 4 frees those of a machine that died within minutes, NFS 3 when it is up again, and Lustre
  needs its mount option flock. Who waits names the file to remove where a machine is gone for good."""

_SHARDS = """\
Shards (evaluate.shard=i/n), as an array of Slurm, counted from 1; the command without it, once they are through:
  sbatch --array=1-8 --wrap='evalplus-run ... evaluate.shard=$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT'
  evalplus-run ..."""


def text() -> str:
    """The whole help text."""
    parts = [_INTRODUCTION, "", *_groups(), "", *_launchers(), _SWEEPS, "", _SHARDS, "", *_keys(), "", _ENVIRONMENT]
    return "\n".join(parts)


def _groups() -> Iterator[str]:
    yield "Groups (GROUP=CHOICE):"
    for group, options in _options().items():
        yield _entry(group, overrides.listed(options))


def _launchers() -> Iterator[str]:
    yield "What starts the jobs of a sweep (with -m):"
    for name, launcher in launchers.LAUNCHERS.items():
        extra = f" (extra {launcher.extra})" if launcher.extra else ""
        yield _entry(f"hydra/launcher={name}", launcher.says + extra)
        file = config_dir() / "hydra" / "launcher" / f"{name}.yaml"
        ours = _yaml(file) if file.exists() else {}
        for key, meaning in launcher.keys.items():
            default = f"={_shown(ours[key])}" if key in ours else ""
            yield _entry(f"  hydra.launcher.{key}{default}", meaning)


def _options() -> dict[str, list[str]]:
    return overrides.groups_in([config_dir()])


def _keys() -> Iterator[str]:
    yield "Keys (KEY=VALUE), with their defaults:"
    chosen = _chosen()
    for key in config.fixed_keys():
        yield _entry(f"{key.path}={_shown(chosen.get(key.path, key.default))}", _described(key))
    for kind in MODEL_SETTINGS:
        yield ""
        yield f"Keys of model.kind={kind}:"
        for key in config.model_keys(kind):
            if key.path != "model.kind":
                yield _entry(f"{key.path}={_shown(key.default)}", _described(key))


def _chosen() -> dict[str, Any]:
    """What the options that are chosen where nothing is said set, by key."""
    folder = config_dir()
    defaults = [each for each in _yaml(folder / "config.yaml")["defaults"] if isinstance(each, dict)]
    options = [(group, option) for each in defaults for group, option in each.items() if group in config.GROUPS]
    return {
        f"{group}.{name}": value
        for group, option in options
        for name, value in _yaml(folder / group / f"{option}.yaml").items()
    }


def _yaml(path: Path) -> dict[str, Any]:
    import yaml

    return yaml.safe_load(path.read_text(encoding="utf-8")) or {}


def _described(key: config.Key) -> str:
    """What the key means, what it takes where that is a closed set, and an example."""
    choices = [one for one in config.choices_of(key) if not re.search(rf"\b{re.escape(one)}\b", key.description)]
    parts = [key.description]
    parts += [f"one of {', '.join(config.choices_of(key))}"] if choices else []
    parts += [f"as in {key.example}"] if key.example else []
    return "; ".join(parts)


def _entry(name: str, description: str) -> str:
    lines = textwrap.wrap(description, _WIDTH - 38, break_on_hyphens=False) or [""]
    first = f"  {name:<34}  {lines[0]}" if len(name) <= 34 else f"  {name}\n{'':38}{lines[0]}"
    return "\n".join([first.rstrip(), *(f"{'':38}{line}" for line in lines[1:])])


def _shown(default: Any) -> str:
    if default is dataclasses.MISSING:
        return "..."
    if default is None:
        return "null"
    if isinstance(default, tuple):
        return "[]" if not default else str(list(default))
    return str(default).lower() if isinstance(default, bool) else str(default)
