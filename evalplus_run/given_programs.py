"""Programs of samples that exist already, of several files too, to be run beside others rather than to be scored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from evalplus_run import given
from evalplus_run.config import Config
from evalplus_run.evaluate.equality import shape_of
from evalplus_run.files import user_path
from evalplus_run.given import GivenSamples
from evalplus_run.records import Dataset, Program, UserError
from evalplus_run.testgen.programs import UnderTest


@dataclass(frozen=True, slots=True)
class GivenPrograms:
    """What some files or folders of samples hold for the tasks of a benchmark."""

    by_task: Mapping[str, tuple[UnderTest, ...]]
    """Cleaned as they would be to be judged; of those with equal syntax trees the first."""
    sources: Mapping[str, GivenSamples]
    """By the path that was typed."""

    @property
    def identity(self) -> tuple[str, ...]:
        """What tells these programs from others, but for the sanitizer's own settings."""
        return tuple(f"{each.sha256} {each.sanitizer}" for each in self.sources.values())


def read(config: Config, dataset: Dataset) -> GivenPrograms:
    """Those of the samples that `config.samples` names, as `given.read` reads them. Raises UserError."""
    sources = {path: given.read(replace(config, samples=path), dataset) for path in paths(config.samples)}
    names = _names([*sources])
    found: dict[str, dict[bytes, UnderTest]] = {task.task_id: {} for task in dataset.tasks}
    for path, samples in sources.items():
        for program in samples.programs:
            if program.outcome is None:
                name = f"{names[path]} {program.index}"
                found[program.task_id].setdefault(shape_of(program.solution), UnderTest(name, program.solution))
    return GivenPrograms({task_id: tuple(each.values()) for task_id, each in found.items()}, sources)


def by_model(config: Config, dataset: Dataset, named: Sequence[str]) -> dict[str, Sequence[Program]]:
    """Those of each file or folder, which is one model's and is called after it. Raises UserError."""
    found: dict[str, Sequence[Program]] = {}
    for path in named:
        name = given.name_of(path)
        if name in found:
            raise UserError(f"Two of the samples are called {name}: rename one, for each is one model's.")
        found[name] = given.read(replace(config, samples=path), dataset).programs
    return found


def paths(samples: str) -> Sequence[str]:
    """The files and folders that `samples` names: one, or a list `[A,B]` of them. Raises UserError for an empty one."""
    is_list = samples.startswith("[") and samples.endswith("]") and not user_path(samples).exists()
    named = [part.strip() for part in samples[1:-1].split(",")] if is_list else [samples]
    if not all(named):
        raise UserError(f"samples={samples} names a file without a name: list them as in samples=[a.jsonl,b.jsonl].")
    return list(dict.fromkeys(named))


def _names(typed: Sequence[str]) -> Mapping[str, str]:
    """What programs of each are called: after its file or folder, where no other has that name."""
    short = [given.name_of(path) for path in typed]
    return {path: name if short.count(name) == 1 else path for path, name in zip(typed, short, strict=True)}
