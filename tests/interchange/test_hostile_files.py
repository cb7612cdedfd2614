"""Files that are meant to do harm, or are broken: one sentence, and nothing else happens."""

import gzip
import json
import pickle
import zipfile

import pytest
from foreign_files import TASK, inspect_archive, inspect_json, inspect_sample, lines, lm_eval_row, zstd_archive

from evalplus_run.interchange import content
from evalplus_run.interchange.registry import read_recorded, read_samples
from evalplus_run.records import UserError


def refused(path, match):
    for read in (read_recorded, lambda path: list(read_samples(path, (TASK,))[1])):
        with pytest.raises(UserError, match=match) as told:
            read(path)
        assert "\n" not in str(told.value)


@pytest.fixture
def small(monkeypatch):
    """Limits that a test can reach."""
    monkeypatch.setattr(content, "LONGEST_TEXT", 10_000)
    monkeypatch.setattr(content, "LARGEST_FILE", 50_000)


@pytest.mark.usefixtures("small")
def test_a_zip_bomb_is_not_unpacked(tmp_path):
    refused(inspect_archive(tmp_path / "x", inspect_sample("a" * 20_000)), r"it would be 4.,... bytes, samples/Human")
    many = [inspect_sample("a" * 9_000, epoch=epoch) for epoch in range(9)]
    refused(inspect_archive(tmp_path / "y", *many), "would unpack to more than")


@pytest.mark.usefixtures("small")
def test_packed_lines_without_end_are_not_unpacked(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(gzip.compress(b" " * 1_000_000))
    refused(path, "a JSON text in it has more than")
    path.write_bytes(gzip.compress(b'{"task_id": "T", "solution": "", "passed": true}\n' * 100_000))
    refused(path, "unpacks to more than")
    path.write_text("{\n" + " " * 100_000)
    refused(path, "a JSON text in it has more than")


def test_a_member_that_unpacks_to_more_than_it_says_is_broken(tmp_path):
    pytest.importorskip("zstandard", reason="zstandard is not installed")
    refused(zstd_archive(tmp_path / "x", inspect_sample("a" * 10_000), told=50), "not what the directory says")


def test_names_in_an_archive_are_no_paths(tmp_path):
    (tmp_path / "in").mkdir()
    path = inspect_archive(tmp_path / "in" / "x", inspect_sample("a", sample_id="../../../../out"))
    (found,) = read_samples(path, ())[1]
    assert found.task_id == "../../../../out"
    assert sorted(each.name for each in tmp_path.rglob("*")) == ["in", "x"]


@pytest.mark.parametrize("cut", [10, 200, -30])
def test_a_broken_archive_is_told(tmp_path, cut):
    path = inspect_archive(tmp_path / "x", inspect_sample("a"))
    path.write_bytes(path.read_bytes()[:cut])
    refused(path, "x cannot be read")


def test_a_damaged_member_is_told(tmp_path):
    path = inspect_archive(tmp_path / "x", inspect_sample("a" * 100), compression=zipfile.ZIP_STORED)
    path.write_bytes(path.read_bytes().replace(b"a" * 100, b"b" * 100))
    refused(path, "x cannot be read .*CRC.*samples/HumanEval/53_epoch_1.json")


@pytest.mark.parametrize("packing", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_member_in_a_packing_that_no_tool_uses_is_not_unpacked(tmp_path, packing):
    path = inspect_archive(tmp_path / "x", inspect_sample("a" * 100), compression=packing)
    refused(path, f"packed by method {packing}, which is not known")


def test_an_archive_of_something_else_is_of_no_form(tmp_path):
    with zipfile.ZipFile(tmp_path / "x", "w") as archive:
        archive.writestr("readme.txt", "hello")
    refused(tmp_path / "x", "in no form that is known")


class Harm:
    def __reduce__(self):
        return exec, ("raise SystemExit('unpickled')",)


def test_nothing_is_unpickled(tmp_path):
    (tmp_path / "x").write_bytes(pickle.dumps(Harm()))
    refused(tmp_path / "x", "in no form that is known")


@pytest.mark.parametrize(
    "row",
    [
        lm_eval_row("a", doc=5),
        lm_eval_row("a", doc={"prompt": "p"}),
        lm_eval_row("a", doc={"task_id": ["x"]}),
        lm_eval_row("a", resps="abc"),
        lm_eval_row("a", resps=[[3]]),
        lm_eval_row("a", resps=[[["deep"]]]),
    ],
)
def test_lm_evals_rows_of_other_types_are_told(tmp_path, row):
    refused(lines(tmp_path / "x", row), "x:1 is no sample|an answer is")


@pytest.mark.parametrize(
    "changes",
    [
        {"id": None},
        {"output": 3},
        {"output": {"choices": [{"message": {"content": 7}}]}},
        {"output": {"choices": [{"message": {"content": [{"text": "no type"}]}}]}},
        {"epoch": "one"},
    ],
)
def test_samples_of_inspect_of_other_types_are_told(tmp_path, changes):
    refused(inspect_json(tmp_path / "x", inspect_sample("a") | changes), "x is taken for a log of inspect")


@pytest.mark.parametrize("samples", [5, "text", {"a": 1}, [None]])
def test_a_log_of_inspect_whose_samples_are_none_is_told(tmp_path, samples):
    (tmp_path / "x").write_text(json.dumps({"eval": {}, "plan": {}, "samples": samples}))
    refused(tmp_path / "x", "x is taken for a log of inspect")


@pytest.mark.parametrize(
    "text",
    [
        '{"eval": ' + "[" * 100_000,
        "[" * 100_000,
        '{"eval": {"a": ' + "9" * 200_000 + "}}",
        "\ud800".encode("utf-8", "surrogatepass"),
        b"\x1f\x8bbroken",
        b"\0" * 1000,
    ],
)
def test_what_cannot_be_decoded_is_told(tmp_path, text):
    (tmp_path / "x").write_bytes(text if isinstance(text, bytes) else text.encode())
    refused(tmp_path / "x", "in no form that is known|cannot be read|cannot be used")
