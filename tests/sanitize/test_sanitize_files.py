"""Sanitizing files and folders of samples."""

import gzip
import json

import pytest

from evalplus_run.records import Outcome, Task, UserError
from evalplus_run.sanitize import SanitizerSettings
from evalplus_run.sanitize.files import sanitize_file

TASKS = {
    "T/0": Task("T/0", "def f(x):\n", "f", "", (), ()),
    "T/1": Task("T/1", "def g(x):\n", "g", "", (), ()),
}
SETTINGS = SanitizerSettings()


def lines_of(path):
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def test_solutions_and_completions_become_programs(tmp_path):
    source, target = tmp_path / "in.jsonl", tmp_path / "out" / "out.jsonl"
    rows = [
        {"task_id": "T/0", "solution": "So:\n```\ndef f(x):\n    return 1\n```", "model": "m", "seed": [1]},
        {"task_id": "T/1", "completion": "    return 2\nprint(g(1))"},
        {"task_id": "T/0", "solution": None},
        {"task_id": "T/0", "solution": "Well, first", "finish_reason": "length"},
    ]
    source.write_text("\n".join(map(json.dumps, rows)) + "\n\n")
    report = sanitize_file(source, target, TASKS, SETTINGS)
    first, second, third, fourth = lines_of(target)
    assert first["solution"] == "def f(x):\n    return 1\n"
    assert (first["model"], first["seed"], first["sanitizer"]) == ("m", [1], "default")
    assert second["solution"] == "def g(x):\n    return 2\n"
    assert "completion" not in second
    assert (third["solution"], third["outcome"]) == ("", "empty")
    assert (fourth["outcome"], fourth["finish_reason"]) == ("truncated", "length")
    assert (report.samples, report.changed, report.bad, report.set_aside) == (4, 3, (), None)
    assert report.outcomes == {Outcome.EMPTY: 1, Outcome.TRUNCATED: 1}


def test_bad_lines_are_told_with_their_number_and_kept(tmp_path):
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    good = b'{"task_id": "T/0", "solution": "def f(x): return 1"}'
    bad = [
        b"{broken",
        b'["T/0", "x"]',
        b'{"solution": "x"}',
        b'{"task_id": "T/9", "solution": "x"}',
        b'{"task_id": "T/0", "text": "x"}',
        b'{"task_id": "T/0", "solution": 5}',
        b'{"task_id": "T/0", "solution": "\xff"}',
        b"[" * 100_000,
    ]
    source.write_bytes(b"\n".join([good, b"", *bad, good]))
    report = sanitize_file(source, target, TASKS, SETTINGS)
    assert [row["solution"] for row in lines_of(target)] == ["def f(x): return 1\n"] * 2
    assert [sample.place for sample in report.bad] == [f"line {number}" for number in range(3, 11)]
    assert report.set_aside == tmp_path / "out.jsonl.bad"
    assert report.set_aside.read_bytes().splitlines() == bad
    assert "line 6 left out: the dataset has no task 'T/9'" in str(report)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.jsonl", "out.jsonl", "out.jsonl.bad"]


def test_gzip_goes_by_the_names(tmp_path):
    source, target = tmp_path / "in.jsonl.gz", tmp_path / "out.jsonl.gz"
    source.write_bytes(gzip.compress(b'{"task_id": "T/0", "solution": "def f(x): return 1\\nprint(1)"}\n'))
    sanitize_file(source, target, TASKS, SETTINGS)
    assert json.loads(gzip.decompress(target.read_bytes()))["solution"] == "def f(x): return 1\n"
    sanitize_file(target, tmp_path / "plain.jsonl", TASKS, SETTINGS)
    assert lines_of(tmp_path / "plain.jsonl")[0]["solution"] == "def f(x): return 1\n"


def test_the_readable_part_of_a_torn_gzip_file_is_sanitized(tmp_path):
    source, target = tmp_path / "in.jsonl.gz", tmp_path / "out.jsonl"
    rows = [{"task_id": "T/0", "solution": f"def f(x): return {number**40}"} for number in range(3000)]
    content = gzip.compress("".join(json.dumps(row) + "\n" for row in rows).encode())
    source.write_bytes(content[: len(content) // 2])
    report = sanitize_file(source, target, TASKS, SETTINGS)
    assert 0 < report.samples < 3000
    assert len(lines_of(target)) == report.samples
    assert report.bad[-1].place == f"line {report.samples + 1}"


def test_a_name_that_promises_gzip_must_keep_it(tmp_path):
    source = tmp_path / "in.jsonl.gz"
    source.write_text('{"task_id": "T/0", "solution": ""}\n')
    with pytest.raises(UserError, match=r"in\.jsonl\.gz cannot be read \(Not a gzipped file"):
        sanitize_file(source, tmp_path / "out.jsonl", TASKS, SETTINGS)
    assert not (tmp_path / "out.jsonl").exists()


def test_a_folder_of_samples_becomes_a_folder(tmp_path):
    source, target = tmp_path / "in", tmp_path / "out"
    for name, text in {
        "T_0/0.py": b"def f(x):\n    return 1\nprint(f(1))\n",
        "T_0/10.py": b"No.",
        "T_1/0.py": b"```\ndef g(x):\n    return 1 # \xff\n```",
        "T_9/0.py": b"def h(x): pass",
    }.items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_bytes(text)
    report = sanitize_file(source, target, TASKS, SETTINGS)
    assert (target / "T_0" / "0.py").read_text() == "def f(x):\n    return 1\n"
    assert (target / "T_0" / "10.py").read_text() == ""
    assert (target / "T_1" / "0.py").read_text() == "def g(x):\n    return 1 #\n"
    assert not (target / "T_9").exists()
    assert (report.samples, report.outcomes) == (3, {Outcome.NO_CODE: 1})
    assert [sample.place for sample in report.bad] == ["T_9/0.py"]
    assert report.set_aside is not None
    assert (report.set_aside / "T_9" / "0.py").read_bytes() == b"def h(x): pass"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "out", "out.bad"]


def test_samples_are_not_lost_by_a_wrong_target(tmp_path):
    source = tmp_path / "in.jsonl"
    source.write_text("{}\n")
    (tmp_path / "folder").mkdir()
    for target in (source, tmp_path / "folder"):
        with pytest.raises(UserError, match="is there already"):
            sanitize_file(source, target, TASKS, SETTINGS)
    with pytest.raises(UserError, match="is there already"):
        sanitize_file(tmp_path / "folder", source, TASKS, SETTINGS)
    with pytest.raises(UserError, match=r"no file or folder .*missing\.jsonl"):
        sanitize_file(tmp_path / "missing.jsonl", tmp_path / "out.jsonl", TASKS, SETTINGS)
    assert source.read_text() == "{}\n"


def test_sanitizing_a_result_again_changes_nothing(tmp_path):
    source, once, twice = (tmp_path / f"{name}.jsonl" for name in ("in", "once", "twice"))
    rows = [
        {"task_id": "T/0", "solution": "```\ndef f(x):\n    return 1\n```"},
        {"task_id": "T/0", "solution": "No."},
        {"task_id": "T/1", "completion": "    return 1"},
    ]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    sanitize_file(source, once, TASKS, SETTINGS)
    report = sanitize_file(once, twice, TASKS, SETTINGS)
    assert report.changed == 0
    assert [row["solution"] for row in lines_of(twice)] == [row["solution"] for row in lines_of(once)]
