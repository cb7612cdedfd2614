import pytest

from evalplus_run.records import Task
from evalplus_run.report.prompt import prompt_form

FIRST = "<|user|>\nSolve this:\ndef f():\n    pass<|assistant|>\nSure:\n"
DRAWN = {"model": {"kind": "vllm"}, "first_prompt": {"text": FIRST, "task_at": [21, 38]}}


def test_a_prompt_is_the_first_one_with_the_other_tasks_text():
    task = Task("T/1", "\n\ndef g(x):\n    return\n", "g", "", (), ())
    form = prompt_form(DRAWN)
    assert form.of(task) == FIRST.replace("def f():\n    pass", "def g(x):\n    return")


@pytest.mark.parametrize(
    "manifest",
    [
        {},
        {"samples": {"path": "f"}},
        {**DRAWN, "model": {"kind": "replay"}},
        {**DRAWN, "first_prompt": {"text": FIRST, "task_at": None}},
        {**DRAWN, "first_prompt": {"text": FIRST}},
        {**DRAWN, "first_prompt": {"text": FIRST, "task_at": ["1", 2]}},
        {**DRAWN, "first_prompt": None},
    ],
    ids=["nothing", "given", "replayed", "no-place", "old", "other-types", "null"],
)
def test_where_nobody_knows_what_a_model_got_there_is_no_prompt(manifest):
    assert prompt_form(manifest) is None
