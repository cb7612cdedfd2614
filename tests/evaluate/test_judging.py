"""From programs to verdicts, in a real sandbox."""

import pytest
from small_tasks import RULES, TIER, task

from evalplus_run.benchmarks import DatasetSettings, load
from evalplus_run.evaluate.judging import Rules, judge
from evalplus_run.evaluate.references import prepare
from evalplus_run.evaluate.settings import EvaluateSettings
from evalplus_run.records import Outcome, Program


def verdict(worker, program, made=None, rules=RULES):
    return judge(worker, prepare(worker, made or task(), rules), Program("Test/0", 0, program), rules)


def outcomes(result):
    return result.evalplus.base.outcome, result.evalplus.plus.outcome


def test_the_reference_passes(worker):
    result = verdict(worker, task().reference)
    assert result.evalplus.passed
    assert result.strict.passed


@pytest.mark.parametrize(
    ("program", "base", "plus"),
    [
        ("def f(x): return x", "wrong", "wrong"),
        ("def f(x): return x + 1 if x < 10 else 0", "pass", "wrong"),
        ("def f(x): return x + 1 if x > 2 else 0", "wrong", "pass"),
        ("def f(x): return 1 / 0", "exception", "exception"),
        ("def f(x): raise SystemExit(0)", "exception", "exception"),
        ("import sys\ndef f(x): return x + 1\nsys.exit(0)", "exception", "exception"),
        ("def f(x): return x + 1\nexit()", "exception", "exception"),
        ("def f(x:", "syntax_error", "syntax_error"),
        ("def f(x):\n  a\n b", "syntax_error", "syntax_error"),
        ("x = 1\0", "syntax_error", "syntax_error"),
        ("def g(x): return x + 1", "no_entry_point", "no_entry_point"),
        ("import nothing_of_this_name\ndef f(x): return x + 1", "exception", "exception"),
        ("import os\ndef f(x): os._exit(0)", "crash", "crash"),
        ("import os\nos._exit(0)", "crash", "crash"),
        ("import ctypes\ndef f(x): ctypes.string_at(0)", "crash", "crash"),
        ("def f(x): return bytearray(2 << 30)", "memory", "memory"),
        ("def f(x): return 'a' * (200 << 20)", "output_too_large", "output_too_large"),
        ("def f(x):\n    a = []\n    a.append(a)\n    return a", "output_too_large", "output_too_large"),
        ("def f(x): return object()", "wrong", "wrong"),
        ("def f(x): return f", "wrong", "wrong"),
        ("def f(x):\n    yield x + 1", "wrong", "wrong"),
        ("def f(x): return float(x + 1)", "pass", "pass"),
        ("import os\ndef f(x):\n    os.close(3)\n    return 1", "crash", "crash"),
    ],
)
def test_a_program_gets_the_outcome_that_it_earns(worker, program, base, plus):
    assert outcomes(verdict(worker, program)) == (base, plus)


def test_a_failing_test_is_told_with_expected_got_and_number(worker):
    failed = verdict(worker, "def f(x): return x + 1 if x < 10 else -5").evalplus.plus
    assert (failed.test, failed.expected, failed.got) == (1, "11", "-5")


def test_an_exception_is_told_with_type_text_and_line(worker):
    failed = verdict(worker, "def f(x):\n    y = 0\n    return x / y").evalplus.base
    assert (failed.test, failed.error, failed.line) == (0, "ZeroDivisionError: division by zero", 3)


def test_the_test_in_which_a_program_dies_is_named(worker):
    program = (
        "import os\ncalls = []\ndef f(x):\n    calls.append(x)\n    if len(calls) == 2: os._exit(1)\n    return x + 1"
    )
    result = verdict(worker, program)
    assert (result.evalplus.base.outcome, result.evalplus.base.test) == (Outcome.CRASH, 1)
    assert "exit status 1" in result.evalplus.base.error


def test_a_crash_in_base_leaves_plus_its_own_verdict(worker):
    assert outcomes(verdict(worker, "import os\ndef f(x):\n    if x == 2: os._exit(1)\n    return x + 1")) == (
        "crash",
        "pass",
    )


def test_base_out_of_time_means_that_plus_is_not_started(worker):
    result = verdict(worker, "def f(x):\n    while x < 3: pass\n    return x + 1")
    assert outcomes(result) == ("timeout", "timeout")
    assert "not started" in result.evalplus.plus.error


def test_plus_out_of_time_leaves_base_passed(worker):
    assert outcomes(verdict(worker, "def f(x):\n    while x == 10: pass\n    return x + 1")) == ("pass", "timeout")


def test_a_swallowed_interruption_does_not_win_time(worker):
    program = (
        "def f(x):\n    while True:\n        try:\n            while True: pass\n        except BaseException: pass"
    )
    assert outcomes(verdict(worker, program))[0] == "timeout"


def test_an_earlier_wrong_test_is_named_though_a_later_one_crashes(worker):
    program = "import os\ndef f(x):\n    if x == 1: return 0\n    os._exit(3)"
    assert (verdict(worker, program).evalplus.base.outcome, verdict(worker, program).evalplus.base.test) == ("wrong", 0)


def test_details_list_every_failing_test(worker):
    rules = Rules(1 << 30, EvaluateSettings(min_time_limit=1.0, details=True), TIER)
    made = task(base=[(number,) for number in range(6)])
    result = verdict(
        worker, "def f(x):\n    if x == 4: raise ValueError\n    return 0 if x % 2 else x + 1", made, rules
    )
    assert result.evalplus.base.failed_tests == (1, 3, 4, 5)
    assert result.evalplus.base.test == 1


def test_the_profiles_part_where_evalplus_asks_for_equal_types(worker):
    made = task("def f(x):\n    return x / 3\n")
    result = verdict(worker, "import numpy as np\ndef f(x): return np.float64(x) / 3 + 1e-12", made)
    assert result.evalplus.base.outcome is Outcome.WRONG
    assert result.strict.passed


def test_a_program_that_changes_its_input_spoils_no_other_test(worker):
    made = task("def f(x):\n    return sum(x)\n", base=[([1, 2],), ([3],)], plus=[([1],)])
    program = "def f(x):\n    total = 0\n    while x: total += x.pop()\n    return total"
    assert verdict(worker, program, made).evalplus.passed
    assert verdict(worker, made.reference, made).evalplus.passed


def test_a_list_that_is_in_two_inputs_is_another_list_in_each(worker):
    both = []
    made = task("def f(x):\n    return x + [1]\n", base=[(both,), (both,)], plus=[(both,)])
    assert verdict(worker, "def f(x):\n    x.append(1)\n    return x\n", made).strict.passed


LONG = task("def f(x):\n    return list(range(x))\n", base=[(3,), (30000,)], plus=[(40000,)])


@pytest.mark.parametrize(
    ("program", "base", "plus"),
    [
        ("def f(x): return list(range(x))", "pass", "pass"),
        ("def f(x): return [float(v) for v in range(x)]", "pass", "pass"),
        ("def f(x): return list(range(x)) + [1] * (x > 35000)", "pass", "wrong"),
        ("def f(x): return list(range(x))[:100]", "wrong", "wrong"),
        ("def f(x): return tuple(range(x))", "wrong", "wrong"),
        ("def f(x): return list(range(x)) if x < 100 else None", "wrong", "wrong"),
    ],
)
def test_long_values_are_judged_like_short_ones(worker, program, base, plus):
    assert outcomes(verdict(worker, program, LONG)) == (base, plus)


def test_a_program_that_sees_that_it_is_run_again_for_a_long_value_may_not_return_another(worker):
    program = (
        "import sys\ndef asked_for(frame):\n"
        "    while 'whole' not in frame.f_locals: frame = frame.f_back\n"
        "    return frame.f_locals['whole']\n"
        "AGAIN = bool(asked_for(sys._getframe()))\n"
        "def f(x): return list(range(x)) if AGAIN or x < 100 else [0.5] * x"
    )
    result = verdict(worker, program, LONG)
    assert outcomes(result) == ("wrong", "pass")
    assert "when it was run again" in result.evalplus.base.error


def test_many_long_values_of_another_type_are_judged_by_value(worker):
    made = task("def f(x):\n    return list(range(x))\n", base=[(20000 + n,) for n in range(6)], plus=[(30000,)])
    assert outcomes(verdict(worker, "def f(x): return [float(v) for v in range(x)]", made)) == ("pass", "pass")


def test_a_forged_digest_ends_as_a_wrong_value(worker):
    program = (
        "import os, struct\n"
        "def f(x):\n"
        "    os.write(3, b'D' + struct.pack('<I', 40) + b'x' * 40)\n"
        "    return list(range(x))"
    )
    assert "pass" not in outcomes(verdict(worker, program, LONG))


def test_leaving_base_in_the_middle_of_a_slow_test_takes_nothing_from_plus(worker):
    program = "def f(x):\n    while x == 2: pass\n    return 0 if x == 1 else x + 1"
    for _ in range(5):
        assert outcomes(verdict(worker, program)) == ("wrong", "pass")


def test_a_task_without_plus_tests_has_nothing_there_to_fail(worker):
    assert outcomes(verdict(worker, "def f(x): return x + 1", task(plus=()))) == ("pass", "pass")


def test_a_value_that_lies_about_itself_equals_nothing(worker):
    for base in ("object", "int", "float", "list", "str"):
        program = (
            f"class Y({base}):\n    def __eq__(self, other): return True\n    def __ne__(self, other): return False\n"
            "    def __hash__(self): return 0\n    def __len__(self): return 1\ndef f(x): return Y()"
        )
        assert outcomes(verdict(worker, program)) == ("wrong", "wrong"), base


def test_replaced_builtins_and_numpy_change_no_verdict(worker):
    program = (
        "import builtins, numpy, struct, marshal\n"
        "numpy.allclose = lambda *a, **k: True\nnumpy.isclose = numpy.allclose\n"
        "def f(x):\n"
        "    for name in ('set', 'len', 'type', 'isinstance', 'list', 'sorted', 'abs', 'enumerate'):\n"
        "        setattr(builtins, name, lambda *a, **k: 0)\n"
        "    return 0.5"
    )
    assert "pass" not in outcomes(verdict(worker, program))


def test_nothing_expected_is_found_by_looking_around(worker):
    program = (
        "import gc, sys\n"
        "def f(x):\n"
        "    names = {n for o in gc.get_objects() if isinstance(o, dict) for n in o if isinstance(n, str)}\n"
        "    frame, seen = sys._getframe(), set()\n"
        "    while frame: seen |= set(frame.f_locals); frame = frame.f_back\n"
        "    return sorted(n for n in names | seen if n in ('expected', 'atol', 'canonical_solution'))"
    )
    assert verdict(worker, program).evalplus.base.got == "[]"


@pytest.mark.parametrize(("base", "evalplus"), [([(1,), (2,)], "pass"), ([(2,), (1,)], "wrong")])
def test_what_evalplus_carries_from_a_float_to_later_tests_is_known_of_skipped_ones_too(worker, base, evalplus):
    made = task("def f(x): return 0.5 if x == 1 else 10**9\n", base=base)
    result = verdict(worker, "def f(x): return 0.5 if x == 1 else 10**9 + 1", made)
    assert result.evalplus.base.outcome == evalplus
    assert result.strict.base.outcome is Outcome.WRONG


def test_many_right_values_around_a_wrong_one_are_counted_right(worker):
    made = task("def f(x): return x\n", base=[(n,) for n in range(3000)], plus=[(n,) for n in range(3000)])
    result = verdict(worker, "def f(x): return x if x != 1700 else -1", made)
    assert (result.evalplus.base.test, result.evalplus.base.got, result.evalplus.plus.test) == (1700, "-1", 1700)
    rules = Rules(1 << 30, EvaluateSettings(min_time_limit=1.0, details=True), TIER)
    result = verdict(worker, "def f(x): return x if x % 1000 != 7 else float(x) + 0.1 * (x > 7)", made, rules)
    assert result.evalplus.plus.failed_tests == result.strict.plus.failed_tests == (1007, 2007)


NOTHING = b"\\0" * 5


@pytest.mark.parametrize("value", ["float('nan')", "[float('nan')] * 3", "1"])
def test_frames_of_nothing_stand_for_no_value(worker, value):
    made = task(f"def f(x): return {value}\n", base=[(n,) for n in range(4)], plus=[(n,) for n in range(4)])
    forger = f"import os\nfor _ in range(9): os.write(3, b'{NOTHING.decode()}')\ndef f(x): return 0"
    assert "pass" not in outcomes(verdict(worker, forger, made))
    forger = f"import os\ndef f(x):\n    os.write(3, b'{NOTHING.decode()}' * 4)\n    return 0"
    result = verdict(worker, forger, made)
    assert not result.evalplus.base.outcome == result.strict.base.outcome == "pass"
    assert result.strict.base.outcome is not Outcome.PASS


def test_a_forged_root_passes_under_no_profile(worker):
    made = load(DatasetSettings(name="humaneval", tasks=("HumanEval/32",))).tasks[0]
    forger = Program(
        made.task_id, 0, f"import os\ndef find_zero(xs):\n    os.write(3, b'{NOTHING.decode()}')\n    return 1e9"
    )
    result = judge(worker, prepare(worker, made, RULES), forger, RULES)
    assert Outcome.PASS not in {result.evalplus.base.outcome, result.strict.base.outcome}


def test_a_request_for_a_value_in_full_gives_no_second_chance(worker):
    program = (
        "import os, struct, sys\n"
        "frame = sys._getframe()\n"
        "while frame and 'whole' not in frame.f_locals: frame = frame.f_back\n"
        "second = bool(frame.f_locals['whole'])\n"
        "def f(x):\n"
        "    if not second:\n"
        "        if x < 3: return 0\n"
        "        os.write(3, b'D' + struct.pack('<I', 40) + bytes(32) + struct.pack('<Q', 70000))\n"
        "        while True: pass\n"
        "    return x + 1"
    )
    assert outcomes(verdict(worker, program))[0] == "wrong"


def test_digests_without_end_are_wrong_in_the_end(worker):
    made = task("def f(x): return x\n", base=[(n,) for n in range(200)])
    program = (
        "import os, struct, sys, hashlib\n"
        "frame = sys._getframe()\n"
        "while frame and 'whole' not in frame.f_locals: frame = frame.f_back\n"
        "asked = frame.f_locals['whole']\n"
        "def f(x):\n"
        "    if (0, x) not in asked:\n"
        "        value = b'i' + struct.pack('<i', x)\n"
        "        head = hashlib.blake2b(value, digest_size=32).digest() + struct.pack('<Q', 5)\n"
        "        os.write(3, b'D' + struct.pack('<I', 45) + head + value)\n"
        "        while True: pass\n"
        "    return x"
    )
    assert "digests" in verdict(worker, program, made).evalplus.base.error


def test_frames_behind_the_last_result_stop_no_run(worker):
    program = (
        "import os\ndef f(x):\n"
        "    if x == 10: os.write(3, b'V\\5\\0\\0\\0i\\x0b\\0\\0\\0' + b'S\\0\\0\\0\\0' * 3)\n"
        "    return x + 1"
    )
    assert outcomes(verdict(worker, program)) == ("pass", "pass")
