import os
import signal
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalplus_run.records import Completion, Program, UserError
from evalplus_run.runs import RowLog, RunFolder, as_folder_name, short_hash

ROWS = [Completion(f"T/{number}", 0, f"text {number}") for number in range(5)]


def log(path):
    return RowLog(path / "completions.jsonl", Completion)


def written(path, rows=ROWS):
    with log(path) as rows_log:
        rows_log.append(rows)
    return path / "completions.jsonl"


def test_rows_come_back_by_task_and_index(tmp_path):
    written(tmp_path)
    assert log(tmp_path).read() == {(row.task_id, 0): row for row in ROWS}


def test_a_later_row_stands_in_place_of_an_earlier(tmp_path):
    written(tmp_path)
    written(tmp_path, [Completion("T/1", 0, "new")])
    assert log(tmp_path).read()["T/1", 0].text == "new"


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_a_torn_last_line_is_set_aside_and_the_rows_before_it_kept(tmp_path, cut):
    path = written(tmp_path)
    os.truncate(path, path.stat().st_size - cut)
    kept = log(tmp_path).read()
    assert list(kept) == [(f"T/{number}", 0) for number in range(4)]
    written(tmp_path, [ROWS[4]])
    assert (tmp_path / "completions.jsonl.torn").exists()
    assert log(tmp_path).read() == {(row.task_id, 0): row for row in ROWS}


def test_reading_changes_nothing_while_another_process_writes(tmp_path):
    path = written(tmp_path)
    os.truncate(path, path.stat().st_size - 5)
    before = path.read_bytes()
    log(tmp_path).read()
    assert path.read_bytes() == before


def test_a_folder_of_other_samples_is_refused(tmp_path):
    with RunFolder(tmp_path) as folder:
        folder.refuse_other("a")
        folder.write_manifest({"identity": "a"})
        folder.refuse_other("a")
        with pytest.raises(UserError, match="holds samples of other settings"):
            folder.refuse_other("b")
    (tmp_path / "manifest.json").unlink()
    written(tmp_path)
    with pytest.raises(UserError, match="holds samples of other settings"):
        RunFolder(tmp_path).refuse_other("a")


def test_a_broken_line_in_the_middle_is_refused_with_its_number(tmp_path):
    path = written(tmp_path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([lines[0], b"nonsense\n", *lines[1:]]))
    with pytest.raises(UserError, match=r"completions\.jsonl:2 is not a row"):
        log(tmp_path).read()


@given(st.text(), st.text())
def test_any_text_survives_the_file_lone_surrogates_too(tmp_path_factory, text, reasoning):
    folder = tmp_path_factory.mktemp("log")
    row = Completion("T/0", 3, text + "\ud800"[: len(reasoning) % 2], reasoning)
    written(folder, [row])
    assert log(folder).read() == {("T/0", 3): row}


def test_what_was_appended_outlives_a_killed_process(tmp_path):
    code = (
        "import sys, os, signal\nfrom pathlib import Path\nfrom evalplus_run.runs import RowLog\n"
        "from evalplus_run.records import Completion\n"
        "log = RowLog(Path(sys.argv[1]), Completion)\n"
        "log.append([Completion('T/0', 0, 'kept')])\nos.kill(os.getpid(), signal.SIGKILL)"
    )
    process = subprocess.run([sys.executable, "-c", code, str(tmp_path / "completions.jsonl")], check=False)
    assert process.returncode == -signal.SIGKILL
    assert log(tmp_path).read()["T/0", 0].text == "kept"


def test_two_runs_in_one_folder_at_once_are_refused(tmp_path):
    with RunFolder(tmp_path / "run"):
        with pytest.raises(UserError, match="Another run is at work"), RunFolder(tmp_path / "run"):
            pass
    with RunFolder(tmp_path / "run"):
        pass


def test_a_folder_that_cannot_be_made_is_a_sentence(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match="Cannot write to"), RunFolder(tmp_path / "file" / "run"):
        pass


def test_a_broken_manifest_is_named(tmp_path):
    with RunFolder(tmp_path) as folder:
        folder.manifest.write_text("{")
        with pytest.raises(UserError, match=r"manifest\.json is not readable"):
            folder.read_manifest()


NESTED = b"[" * 100_000 + b"]" * 100_000


@pytest.mark.parametrize(
    "line", [NESTED, b'{"task_id": "T/0", "index": 0, "text": "", "more": ' + NESTED + b"}", b"\0\0"]
)
def test_a_line_that_no_parser_reads_is_refused_with_its_number(tmp_path, line):
    path = written(tmp_path)
    path.write_bytes(path.read_bytes() + line + b"\n")
    with pytest.raises(UserError, match=r"completions\.jsonl:6 is not a row"):
        log(tmp_path).read()


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, lambda path: path.symlink_to("/dev/zero")])
def test_what_is_no_file_is_named_and_never_waited_for(tmp_path, make):
    for name in ("completions.jsonl", "manifest.json"):
        make(tmp_path / name)
    with pytest.raises(UserError, match=r"completions\.jsonl cannot be read \(it is no regular file\)"):
        log(tmp_path).read()
    with pytest.raises(UserError, match=r"manifest\.json is not readable \(it is no regular file\)"):
        RunFolder(tmp_path).read_manifest()


def test_a_manifest_nested_without_end_is_named(tmp_path):
    (tmp_path / "manifest.json").write_bytes(b'{"a": ' + NESTED + b"}")
    with pytest.raises(UserError, match="nested too deeply"):
        RunFolder(tmp_path).read_manifest()


def test_programs_with_notes_come_back(tmp_path):
    rows = RowLog(tmp_path / "samples.jsonl", Program)
    program = Program("T/0", 1, "def f(): pass", None, "default", {"block": "2 of 3"})
    rows.start_anew([program])
    assert rows.read() == {("T/0", 1): program}


@given(st.dictionaries(st.text(), st.integers()))
def test_the_hash_does_not_hang_on_the_order_of_keys(settings):
    assert short_hash(settings) == short_hash(dict(reversed(settings.items())))


@given(st.text())
def test_a_folder_name_is_one_harmless_part_of_a_path(text):
    name = as_folder_name(text)
    assert name
    assert "/" not in name
    assert not name.startswith(".")
    assert len(name) <= 80


def test_a_models_slash_becomes_evalpluss_two_dashes():
    assert as_folder_name("Qwen/Qwen2.5-Coder") == "Qwen--Qwen2.5-Coder"
