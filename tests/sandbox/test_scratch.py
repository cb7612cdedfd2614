"""How full the scratch folder is, seen by whoever does not trust what is in it."""

import os
import subprocess
from pathlib import Path

import pytest
from running import INPUTS, run

from evalplus_run.sandbox import Ending, scratch, tiers
from evalplus_run.sandbox.worker import Worker


@pytest.fixture
def folder():
    made = scratch.make()
    yield made
    scratch.remove(made)
    assert not Path(made).exists()


@pytest.fixture
def pid():
    """Of a process that has no files of its own, whatever these tests' own process has open."""
    with subprocess.Popen(["sleep", "600"]) as process:
        yield process.pid
        process.kill()


def test_a_folder_too_deep_for_a_path_is_full(folder, pid):
    at = os.open(folder, os.O_RDONLY)
    for _ in range(20):
        os.mkdir("d" * 250, dir_fd=at)
        deeper = os.open("d" * 250, os.O_RDONLY, dir_fd=at)
        os.close(at)
        at = deeper
    os.close(at)
    assert scratch.is_full(folder, pid)


@pytest.mark.skipif(os.geteuid() == 0, reason="root looks into every folder")
def test_a_folder_that_cannot_be_looked_into_is_full(folder, pid):
    Path(folder, "hidden").mkdir(0o300)
    assert scratch.is_full(folder, pid)


def test_a_few_files_in_folders_are_no_reason(folder, pid):
    Path(folder, "one").mkdir()
    Path(folder, "one", "file").write_bytes(bytes(1 << 20))
    assert not scratch.is_full(folder, pid)


def test_no_program_finds_what_another_wrote(writing):
    leaves = (
        "import os\ndef add(x, y):\n    os.umask(0o777)\n    os.makedirs('/'.join('a' * 200), exist_ok=True)\n"
        "    try: os.mkdir('closed')\n    except FileExistsError: pass\n    return x + y"
    )
    writes = "def add(x, y):\n    with open('note', 'w') as f: f.write('for you')\n    return x + y"
    looks = "import os\ndef add(x, y): return [*os.listdir('.'), *os.listdir(os.environ['TMPDIR'])]"
    for program in (leaves, writes):
        run(writing, program)
        assert run(writing, looks).values == [[]] * 5


@pytest.fixture
def on_disk():
    """A worker whose programs write in a folder on the disk."""
    if tiers.why_not("lockdown"):
        pytest.skip("lockdown cannot be had here")
    with Worker("lockdown") as worker:
        worker.load("task", INPUTS)
        yield worker


def test_the_scratch_folder_is_gone_with_its_worker(on_disk):
    run(on_disk, "def add(x, y):\n    open('left', 'w').write('x')\n    return 1")
    folder = Path(on_disk._folder)
    assert folder.is_dir()
    on_disk.close()
    assert not folder.exists()


def test_a_zygote_whose_judge_is_gone_removes_the_scratch_folder(on_disk):
    run(on_disk, "def add(x, y): return 1")
    folder = Path(on_disk._folder)
    on_disk._control.close()
    on_disk._process.wait(timeout=30)
    assert not folder.exists()


@pytest.mark.parametrize(
    "fill",
    [
        "with open(str(n), 'wb') as f: f.write(b'x' * (8 << 20))",
        "open(str(n), 'w').close()",
        "os.makedirs(f'd{n}/' + '/'.join('a' * 100))",
    ],
)
def test_the_scratch_folder_is_small(writing, fill):
    program = f"import os\ndef add(x, y):\n    n = 0\n    while True:\n        n += 1\n        {fill}"
    seen = run(writing, program)
    assert seen.execution.ending is Ending.MEMORY or seen.errors[0][0] == "OSError"


def test_one_file_is_no_larger_than_the_scratch_folder(writing):
    seen = run(writing, "def add(x, y):\n    with open('a', 'wb') as f:\n        f.seek(1 << 30); f.write(b'x')")
    assert {kind for kind, _, _ in seen.errors} == {"OSError"}
