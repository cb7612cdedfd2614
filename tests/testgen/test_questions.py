"""What a model is asked for a task's inputs, and what is taken of its answers."""

from dataclasses import replace

from evalplus_run.records import Completion
from evalplus_run.testgen.questions import answered, question
from evalplus_run.testgen.signatures import argument_kinds
from tests.testgen.conftest import task_of

TASK = task_of(
    "def f(n, s=''):\n    return n\n", *((i, {"b", "a"}) for i in range(9)), contract="\n    assert n >= 0\n"
)


def asked(task, index=0, **more):
    return question(task, index, chat=True, **more).messages[-1].content


def taken(task, *texts):
    answers = [Completion(task.task_id, index, text) for index, text in enumerate(texts)]
    return answered(answers[::-1], task, argument_kinds(task, task.base_inputs))


def test_the_reference_the_contract_and_some_inputs_are_shown():
    text = asked(TASK)
    assert "def f(n, s=''):\n    return n\n```" in text
    assert "\nassert n >= 0\n" in text
    assert [line for line in text.splitlines() if line.startswith("f(")] == [f"f({i}, {{'a', 'b'}})" for i in range(6)]
    assert "These assertions" not in asked(replace(TASK, contract=""))
    assert "It is tested" not in asked(replace(TASK, base_inputs=()))


def test_the_task_in_words_is_shown_where_the_reference_does_not_hold_it():
    assert "Twice {n}." in asked(replace(TASK, prompt='"""Twice {n}."""'))
    assert asked(replace(TASK, prompt="def f(n, s=''):")).count("def f") == 1


def test_each_question_asks_for_something_else_or_shows_other_inputs():
    assert len({asked(TASK, index) for index in range(6)}) == 6
    assert all(word in asked(TASK, index) for index, word in enumerate(("hard", "corner", "complex", "hard")))


def test_a_model_without_chat_goes_on_from_the_question():
    prompt = question(TASK, 0, chat=False)
    assert prompt.text.endswith("```python\n")
    assert prompt.messages == ()
    assert prompt.stop


def test_the_system_turn_is_the_users():
    turns = question(TASK, 0, chat=True, system="Be brief.").messages
    assert [(turn.role, turn.content) for turn in turns[:1]] == [("system", "Be brief.")]


def test_an_input_tells_what_was_asked_and_which_answer_it_is_of():
    task = task_of("def f(n):\n    return n\n", (1,))
    found, refused = taken(task, "f(5)", "<think>f(6)?</think>f(7)", "", "f(8)")
    assert found == [
        ((5,), ("model", "hard 0")),
        ((7,), ("model", "corner 1")),
        ((8,), ("model", "hard 3")),
    ]
    assert refused == {"answer without inputs": 1}


def test_kinds_are_those_of_the_benchmark_the_signature_and_the_contract_and_no_answer_widens_them():
    plain = task_of("def f(n):\n    return n\n", (1,))
    assert taken(plain, "f(1.5)\nf(True)\nf([1])\nf(None)\nf(2, 3)")[0] == []
    declared = replace(plain, reference="def f(n: float | None):\n    return n\n")
    assert [each for each, _ in taken(declared, "f(1.5)\nf(True)\nf(None)")[0]] == [(1.5,), (None,)]
    asserted = replace(plain, contract="\n    assert isinstance(n, (int, float))\n")
    assert [each for each, _ in taken(asserted, "f(1.5)\nf('x')")[0]] == [(1.5,)]
