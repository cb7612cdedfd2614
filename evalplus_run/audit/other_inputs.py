"""Inputs that no test of a task has, on which programs that pass all tests may differ."""

from __future__ import annotations

from dataclasses import replace

from evalplus_run.audit.running import Runner
from evalplus_run.records import Arguments, Task
from evalplus_run.sandbox.any_worker import AnyWorker
from evalplus_run.testgen.form import Form
from evalplus_run.testgen.search import search
from evalplus_run.testgen.settings import TestgenSettings
from evalplus_run.testgen.specifications import specified
from evalplus_run.testgen.values import key

_NUMBER = 100


def other_inputs(runner: Runner, task: Task, form: Form) -> list[Arguments]:
    """Made from the base inputs, within what the task promises."""
    return runner.call(_made, task, form, runner.rules.memory)


def _made(worker: AnyWorker, task: Task, form: Form, memory: int) -> list[Arguments]:
    base = tuple(form.read_again(task.task_id, each) for each in task.base_inputs)
    wanted = TestgenSettings(n=_NUMBER, mutants=0)
    found, _ = search(worker, specified(replace(task, base_inputs=base)), wanted, form, memory=memory)
    known = {key(arguments) for arguments in (*task.base_inputs, *task.plus_inputs)}
    return [each.arguments for each in found if key(each.arguments) not in known]
