import doctest
import math

import pytest

from evalplus_run.benchmarks import DatasetSettings, load

DATASET = load(DatasetSettings(name="example"))
[TASK] = DATASET.tasks


def namespace(source):
    names = {}
    exec(source, names)
    return names


REFERENCE = namespace(TASK.reference)[TASK.entry_point]


def caught(mistake, inputs):
    def result(arguments):
        try:
            value = mistake(list(arguments[0]))
        except Exception as error:
            return error
        return value

    return any(result(arguments) != REFERENCE(list(arguments[0])) for arguments in inputs)


def minus_first(xs):
    return sum(x for x in xs[2::2] if x % 2 == 0)


def until_an_odd_value(xs):
    total = 0
    for x in xs[1::2]:
        if x % 2:
            break
        total += x
    return total


MISTAKES = {
    "even indices": lambda xs: sum(x for x in xs[::2] if x % 2 == 0),
    "indices from one": minus_first,
    "odd values": lambda xs: sum(x for x in xs[1::2] if x % 2),
    "all values": lambda xs: sum(xs[1::2]),
    "all indices": lambda xs: sum(x for x in xs if x % 2 == 0),
    "filters before it counts": lambda xs: sum([x for x in xs if x % 2 == 0][1::2]),
    "positive alone": lambda xs: sum(x for x in xs[1::2] if x % 2 == 0 and x > 0),
    "absolute values": lambda xs: sum(abs(x) for x in xs[1::2] if x % 2 == 0),
    "each value once": lambda xs: sum({x for x in xs[1::2] if x % 2 == 0}),
    "counts": lambda xs: len([x for x in xs[1::2] if x % 2 == 0]),
    "sums the indices": lambda xs: sum(i for i, x in enumerate(xs) if i % 2 and x % 2 == 0),
    "floats": lambda xs: int(math.fsum(float(x) for x in xs[1::2] if x % 2 == 0)),
    "32 bits": lambda xs: sum(x for x in xs[1::2] if x % 2 == 0) % 2**32,
    "the first one alone": lambda xs: next((x for x in xs[1::2] if x % 2 == 0), 0),
    "leaves out the last": lambda xs: sum(x for x in xs[1:-1:2] if x % 2 == 0),
    "stops at an odd value": until_an_odd_value,
    "multiples of four": lambda xs: sum(x for x in xs[1::2] if x % 4 == 0),
    "None where there is nothing": lambda xs: sum(x for x in xs[1::2] if x % 2 == 0) or None,
    "at least two values": lambda xs: xs[1] * 0 + sum(x for x in xs[1::2] if x % 2 == 0),
    "the first six values": lambda xs: sum(x for x in xs[1:6:2] if x % 2 == 0),
    "the index by its value": lambda xs: sum(x for x in xs if x % 2 == 0 and xs.index(x) % 2),
}


@pytest.mark.parametrize("mistake", MISTAKES.values(), ids=MISTAKES)
def test_the_plus_inputs_catch_a_typical_mistake(mistake):
    assert caught(mistake, TASK.plus_inputs)


def test_the_base_inputs_alone_miss_several_mistakes():
    missed = [name for name, mistake in MISTAKES.items() if not caught(mistake, TASK.base_inputs)]
    assert len(missed) >= 5


def test_another_right_program_passes():
    def right(xs):
        total = 0
        for index in range(len(xs)):
            if index & 1 and not xs[index] & 1:
                total += xs[index]
        return total

    assert not caught(right, TASK.base_inputs + TASK.plus_inputs)


def test_the_examples_in_the_prompt_are_true():
    names = namespace(TASK.reference)
    test = doctest.DocTestParser().get_doctest(REFERENCE.__doc__, names, "prompt", None, 0)
    assert doctest.DocTestRunner(verbose=False).run(test)[:2] == (0, 3)


def test_every_input_keeps_the_contract_and_a_bool_breaks_it():
    program = TASK.prompt + TASK.contract + TASK.reference.removeprefix(TASK.prompt)
    checked = namespace(program)[TASK.entry_point]
    for arguments in TASK.base_inputs + TASK.plus_inputs:
        assert checked(*arguments) == REFERENCE(*arguments)
    for wrong in ([True], [1.0], (1, 2), ["a"]):
        with pytest.raises(AssertionError, match="invalid inputs"):
            checked(wrong)


def test_no_plus_input_repeats_another():
    inputs = TASK.base_inputs + TASK.plus_inputs
    assert len({repr(arguments) for arguments in inputs}) == len(inputs)


def test_the_shipped_file_is_the_one_that_is_pinned():
    assert (DATASET.version, DATASET.size) == ("1", 1)
