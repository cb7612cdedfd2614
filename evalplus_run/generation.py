"""`evalplus-run inputs`: plus inputs for a benchmark, task by task, each stored as soon as it is made.

The folder has `tasks.jsonl`, one row for each finished task with where its inputs come from, and at the end the
benchmark itself with the new inputs in place of its plus inputs.
"""

from __future__ import annotations

import dataclasses
import hashlib
import multiprocessing
import os
import signal
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path

import msgspec
from filelock import FileLock, Timeout

from evalplus_run import json_text
from evalplus_run.benchmarks import load
from evalplus_run.benchmarks.fetch import fetch
from evalplus_run.config import Config
from evalplus_run.engines import Engines
from evalplus_run.evaluate.judging import Rules
from evalplus_run.evaluate.settings import EvaluateSettings
from evalplus_run.files import read_whole, user_path, write_whole
from evalplus_run.guidance import Guidance
from evalplus_run.machine import usable_cores
from evalplus_run.progress import Progress
from evalplus_run.records import Dataset, RunFailed, Task, UserError
from evalplus_run.sandbox import memory, tiers
from evalplus_run.sandbox.any_worker import AnyWorker, WorkerLost
from evalplus_run.sandbox.starting import start_worker
from evalplus_run.testgen.form import Form
from evalplus_run.testgen.guides import Guides
from evalplus_run.testgen.making import MadeInputs, make_inputs
from evalplus_run.testgen.settings import TestgenSettings

_VERSION = "2"
"""Raised whenever the same settings make other inputs."""
_TASKS = "tasks.jsonl"
_LIVES = 3
"""Times that a task is begun where the sandbox is lost meanwhile."""
_ROW = msgspec.json.Decoder(MadeInputs)


def run(config: Config) -> None:
    """Make inputs for the tasks of the benchmark that have none in the folder yet. Raises UserError and RunFailed."""
    progress = Progress()
    dataset = load(config.dataset)
    rules = Rules(
        memory=memory.at_most(config.sandbox.memory << 20),
        evaluate=EvaluateSettings(),
        tier=tiers.choose_tier(config.sandbox),
        wrapper=config.sandbox.wrapper,
        image=config.sandbox.image,
    )
    with Engines() as engines:
        guidance = Guidance(config, dataset, engines)
        identity = _identity(config, dataset, guidance)
        _make_all(config, dataset, guidance, identity, rules, progress)


def _make_all(
    config: Config, dataset: Dataset, guidance: Guidance, identity: str, rules: Rules, progress: Progress
) -> None:
    folder = _folder(config, dataset, identity)
    with _held(folder):
        rows = _Rows(folder / _TASKS, identity)
        left = [task for task in dataset.tasks if task.task_id not in rows.made]
        with progress.shown():
            guides = guidance.of(left, folder, _beside(config, folder), rules, progress)
            stage = progress.stage("inputs", len(dataset.tasks), len(dataset.tasks) - len(left))
            for made in _all_made(left, guides, dataset.name, config, rules):
                rows.add(made)
                stage.advance()
        target = folder / f"{dataset.name}.jsonl"
        write_whole(target, _benchmark(config, rows))
    _tell([rows.made[task.task_id] for task in dataset.tasks], config.testgen.n)
    print(f"written to {target}: judge with dataset={_as_typed(dataset)} dataset.path={target}")  # noqa: T201


def _as_typed(dataset: Dataset) -> str:
    return dataset.name if dataset.name == "mbpp_plus" else "custom"


def _all_made(
    tasks: Sequence[Task], guides: Mapping[str, Guides], name: str, config: Config, rules: Rules
) -> Iterator[MadeInputs]:
    """As they are finished; what is made of a task does not hang on which process makes it, or when."""
    if not tasks:
        return
    workers = min(config.executor.workers or usable_cores(), len(tasks))
    processes = ProcessPoolExecutor(
        workers, multiprocessing.get_context("spawn"), _begin, (name, config.testgen, rules)
    )
    try:
        waiting = [processes.submit(_make, task, guides[task.task_id]) for task in tasks]
        for each in as_completed(waiting):
            yield each.result()
    except BrokenProcessPool as error:
        raise RunFailed("A process that makes inputs was killed: the same command again goes on from here.") from error
    finally:
        for process in multiprocessing.active_children():
            process.terminate()
        processes.shutdown(cancel_futures=True)


class _Own:
    """What a process that makes inputs holds."""

    form: Form
    settings: TestgenSettings
    rules: Rules
    worker: AnyWorker | None = None


def _begin(name: str, settings: TestgenSettings, rules: Rules) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends it
    _Own.form, _Own.settings, _Own.rules = Form(name), settings, rules
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A parent that is killed cannot say so."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _make(task: Task, guides: Guides) -> MadeInputs:
    rules = _Own.rules
    for _ in range(_LIVES):
        if _Own.worker is None:
            _Own.worker = start_worker(rules.tier, rules.wrapper, rules.image, memory=rules.memory)
        try:
            return make_inputs(_Own.worker, task, _Own.form, _Own.settings, rules, guides)
        except WorkerLost as error:
            _Own.worker.close()
            _Own.worker = None
            why = str(error)
    raise RunFailed(f"The sandbox was lost {_LIVES} times while inputs were made for {task.task_id} ({why}).")


class _Rows:
    """The file of finished tasks."""

    def __init__(self, path: Path, identity: str) -> None:
        """Raises UserError where the file is of other settings; a row that a crash cut off is made again."""
        self._path = path
        self.made: dict[str, MadeInputs] = {}
        head = json_text.encode({"identity": identity}) + b"\n"
        lines = read_whole(path).splitlines(keepends=True) if path.exists() else []
        if not lines or not lines[0].endswith(b"\n"):
            write_whole(path, head)
            return
        if lines[0] != head:
            raise UserError(
                f"{path} is of another dataset, model or samples, or other testgen settings: give another run_dir."
            )
        whole = [line for line in lines[1:] if line.endswith(b"\n")]
        if len(whole) < len(lines) - 1:
            write_whole(path, head + b"".join(whole))
        for number, line in enumerate(whole, 2):
            try:
                row = json_text.decode_as(line, _ROW)
            except ValueError as error:
                raise UserError(f"{path}, line {number}: this is no row of inputs ({error}).") from error
            self.made[row.task_id] = row

    def add(self, row: MadeInputs) -> None:
        """It counts once it is on the disk."""
        with self._path.open("ab") as stream:
            stream.write(json_text.encode(row) + b"\n")
            stream.flush()
            os.fsync(stream.fileno())
        self.made[row.task_id] = row


@contextmanager
def _held(folder: Path) -> Iterator[None]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / ".lock", timeout=0):
            yield
    except Timeout as error:
        raise UserError(f"Inputs are being made in {folder}: wait for that, or give another run_dir.") from error


def _identity(config: Config, dataset: Dataset, guidance: Guidance) -> str:
    """A hash of what the inputs hang on."""
    parts = (_VERSION, dataset.name, dataset.sha256, dataclasses.astuple(config.testgen), *guidance.identity)
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:12]


def _folder(config: Config, dataset: Dataset, identity: str) -> Path:
    if config.run_dir:
        return user_path(config.run_dir)
    return user_path(config.sweep.dir) / dataset.name / f"inputs-{identity}"


def _beside(config: Config, folder: Path) -> list[Path]:
    """Folders of inputs that were made by other settings: a model's answers are good for these too."""
    return [] if config.run_dir else [path for path in sorted(folder.parent.glob("inputs-*")) if path != folder]


def _benchmark(config: Config, rows: _Rows) -> bytes:
    """The benchmark's own rows with the new plus inputs, for the tasks that were asked for."""
    lines = []
    for line in fetch(config.dataset).data.splitlines():
        row = json_text.decode(line) if line.strip() else {}
        made = rows.made.get(row.get("task_id", ""))
        if made:
            row["base_input"] = list(made.base)
            row["plus_input"] = [each.arguments for each in made.inputs]
            lines.append(json_text.encode(row) + b"\n")
    return b"".join(lines)


def _tell(made: Sequence[MadeInputs], wanted: int) -> None:
    """A summary, and the tasks that are short of inputs with why."""
    rejected: Counter[str] = Counter()
    for each in made:
        rejected.update(each.rejected)
        if len(each.inputs) < wanted:
            why = "there are no more" if each.used_up else "the search was given up"
            print(f"{each.task_id}: {len(each.inputs)} of {wanted}, {why}")  # noqa: T201
    total, killed = sum(each.mutants for each in made), sum(each.killed for each in made)
    outcomes, seen = sum(each.outcomes for each in made), sum(each.outcomes_seen for each in made)
    print(  # noqa: T201
        f"{sum(len(each.inputs) for each in made)} inputs for {len(made)} tasks from "
        f"{sum(each.candidates for each in made)} candidates; refused: "
        f"{', '.join(f'{reason} {count}' for reason, count in rejected.most_common())}\n"
        f"with the base inputs they kill {killed} of {total} mutants and reach {seen} of {outcomes} branch outcomes"
    )
    _tell_of_guides(made)


def _tell_of_guides(made: Sequence[MadeInputs]) -> None:
    """What a model, and programs under test, came to; nothing where there were none."""
    own = sum(input_.by[:1] == ("model",) for each in made for input_ in each.inputs)
    if own:
        print(f"inputs that a model wrote: {own}")  # noqa: T201
    told = [each.programs for each in made if each.programs]
    if told:
        left_out: Counter[str] = Counter()
        for one in told:
            left_out.update(one.left_out)
        ran = sum(one.programs for one in told) - left_out.total()
        print(  # noqa: T201
            f"of {ran} programs under test that are right on the base inputs they tell "
            f"{sum(one.wrong for one in told)} from their references, into "
            f"{sum(one.classes - 1 for one in told)} kinds; stopped: {sum(one.stopped for one in told)}"
            f"{''.join(f'; {reason}: {count}' for reason, count in left_out.most_common())}"
        )
