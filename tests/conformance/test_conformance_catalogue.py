import pytest

from evalplus_run.conformance import load_programs
from evalplus_run.conformance.catalogue import Promise, parse
from evalplus_run.conformance.tasks import tasks
from evalplus_run.records import Outcome

RIGHT = "def f(x):\n    return x * x + 1\n"


def test_every_program_is_one_that_python_can_read_for_a_task_that_there_is():
    for program in load_programs():
        compile(program.source, program.name, "exec")
        assert program.task in tasks("secret"), program.name


def test_every_kind_holds_several_programs():
    kinds = [program.kind for program in load_programs()]
    assert len(set(kinds)) >= 15
    assert min(kinds.count(kind) for kind in set(kinds)) >= 5


def test_only_harmless_programs_are_promised_to_pass():
    for program in load_programs():
        assert (program.promise.text == "passes") == (program.kind == "harmless"), program.name


def test_no_program_but_a_harmless_one_is_left_out_of_a_tier():
    assert {program.kind for program in load_programs() if program.not_in} == {"harmless"}


def test_a_program_says_what_is_promised_of_it():
    program = parse(
        "exits/a",
        f"# says: what it tries\n# promise: crash or timeout\n# runs: 2\n# not in: lockdown, seccomp-only\n{RIGHT}",
    )
    assert (program.kind, program.says, program.runs, program.task) == ("exits", "what it tries", 2, "number")
    assert program.promise.allowed == {Outcome.CRASH, Outcome.TIMEOUT}
    assert program.not_in == {"lockdown", "seccomp-only"}


@pytest.mark.parametrize(
    ("head", "missing"),
    [
        ("# promise: passes\n", "says"),
        ("# says: something\n", "promise"),
        ("# says: something\n# promise: success\n", "success"),
        ("# says: something\n# promise: passes\n# not in: the moon\n", "no tier the moon"),
        ("# says: something\n# promise: passes\n# runs: often\n", "often"),
        ("# says: something\n# promise: passes\n# kind: new\n", "no field kind"),
    ],
)
def test_a_head_that_does_not_say_what_it_must_is_an_error_that_names_the_program(head, missing):
    with pytest.raises(ValueError, match=rf"exits/a: .*{missing}"):
        parse("exits/a", head + RIGHT)


def test_a_fault_of_the_host_is_never_what_was_promised():
    for text in ("passes", "never passes", "any outcome", "crash"):
        assert Outcome.HOST_FAULT not in Promise.of(text).allowed
