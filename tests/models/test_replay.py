"""Answers from a file."""

import gzip
import json
from pathlib import Path

import pytest

from evalplus_run.models.replay import Replay, read_answers
from evalplus_run.models.settings import ReplaySettings
from evalplus_run.records import Completion, Prompt, Request, Sampling, UserError


def write(path: Path, *rows: object) -> Path:
    content = "".join(json.dumps(row) + "\n" for row in rows).encode()
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return path


async def replay(path: Path, *requests: Request, **settings: bool) -> list[Completion]:
    model = Replay(ReplaySettings(path=str(path), **settings))  # type: ignore[arg-type]
    await model.start()
    return [each async for each in model.complete(requests, Sampling())]


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz"])
async def test_the_rows_of_a_task_without_index_are_its_samples_in_order(tmp_path: Path, name: str) -> None:
    path = write(
        tmp_path / name,
        {"task_id": "A/0", "text": "first"},
        {"task_id": "A/1", "completion": "other"},
        {"task_id": "A/0", "solution": "second"},
    )
    found = await replay(path, Request(Prompt("A/0"), (0, 1)), Request(Prompt("A/1"), (0,)))
    assert [(each.task_id, each.index, each.text) for each in found] == [
        ("A/0", 0, "first"),
        ("A/0", 1, "second"),
        ("A/1", 0, "other"),
    ]


async def test_our_own_completions_come_back_with_all_their_fields(tmp_path: Path) -> None:
    row = {"task_id": "A/0", "index": 4, "text": "t", "reasoning": "r", "finish_reason": "length"}
    counts = {"prompt_tokens": 1, "completion_tokens": 2, "seconds": 0.5, "cost": 0.25}
    path = write(tmp_path / "a.jsonl", {**row, **counts})
    (found,) = await replay(path, Request(Prompt("A/0"), (4,)))
    assert found == Completion(
        "A/0",
        4,
        "t",
        reasoning="r",
        finish_reason="length",
        prompt_tokens=1,
        completion_tokens=2,
        seconds=0.5,
        cost=0.25,
    )


async def test_half_a_surrogate_pair_comes_back_from_our_own_completions(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", {"task_id": "A/0", "index": 0, "text": "\ud800"})
    (found,) = await replay(path, Request(Prompt("A/0"), (0,)))
    assert found.text == "\ud800"


def test_a_row_nested_without_end_is_named_by_its_line(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"task_id": "A/0", "text": "", "more": ' + "[" * 100_000 + "]" * 100_000 + "}")
    with pytest.raises(UserError, match=r"line 1 is not a row.*nested too deeply"):
        read_answers(tmp_path / "a.jsonl")


async def test_a_recorded_answer_is_not_cut_at_stop_strings(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", {"task_id": "A/0", "solution": "def f(): pass\nprint(1)"})
    (found,) = await replay(path, Request(Prompt("A/0", stop=("\nprint(",)), (0,)))
    assert found.text == "def f(): pass\nprint(1)"


async def test_missing_answers_are_counted_and_the_first_is_named_before_any_is_given(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", {"task_id": "A/0", "text": "x"})
    model = Replay(ReplaySettings(path=str(path)))
    await model.start()
    requests = [Request(Prompt("A/0"), (0, 1)), Request(Prompt("A/1"), (0,))]
    with pytest.raises(UserError, match=r"no answer 1 for A/0 \(2 of 3 missing\)"):
        await anext(model.complete(requests, Sampling()))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('{"task_id": "A/1"', "line 2 is not a row"),
        ('{"text": "x"}', "line 2 is not a row"),
        ('{"task_id": "A/1"}', "line 2, holds no answer"),
        ('{"task_id": "A/1", "text": 5}', "line 2 is not a row"),
        ('{"task_id": "A/1", "text": "x", "seconds": -1}', "line 2 is not a row"),
        ('{"task_id": "A/1", "text": "x", "seconds": NaN}', "line 2 is not a row"),
        ('{"task_id": "A/0", "index": 0, "text": "y"}', "line 2, repeats answer 0 of A/0"),
    ],
)
def test_a_wrong_row_is_named_by_its_line(tmp_path: Path, line: str, words: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"task_id": "A/0", "text": "x"}\n' + line + "\n")
    with pytest.raises(UserError, match=words):
        read_answers(path)


def test_a_torn_gzip_file_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl.gz", *({"task_id": f"A/{number}", "text": "x" * number} for number in range(99)))
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(UserError, match="cannot be read"):
        read_answers(path)


async def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="nowhere.jsonl"):
        await Replay(ReplaySettings(path=str(tmp_path / "nowhere.jsonl"))).start()


def test_the_identity_moves_with_the_content_not_with_the_place(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    first = write(tmp_path / "a.jsonl", {"task_id": "A/0", "text": "x"})
    second = write(tmp_path / "b" / "a.jsonl", {"task_id": "A/0", "text": "x"})
    third = write(tmp_path / "b" / "c.jsonl", {"task_id": "A/0", "text": "y"})
    identities = [Replay(ReplaySettings(path=str(path))).identity() for path in (first, second, third)]
    assert identities[0] == identities[1]
    assert identities[0]["sha256"] != identities[2]["sha256"]
    assert identities[0]["name"] == "a"


def test_answers_that_go_on_from_the_prompt_are_another_run_than_those_of_a_chat(tmp_path: Path) -> None:
    path = str(write(tmp_path / "a.jsonl", {"task_id": "A/0", "text": "x"}))
    chat, base = (Replay(ReplaySettings(path=path, chat=chat)).identity() for chat in (True, False))
    assert chat != base


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([], "holds no answer at all"),
        (
            [{"task_id": "B/0", "text": "x"}, {"task_id": "B/1", "text": "x"}],
            "has answers to B/0 and 1 more, and none to A/0",
        ),
        ([{"task_id": "A/1", "text": "x"}], "none to that task at all: name the tasks that it has in dataset.tasks"),
        ([{"task_id": "A/0", "text": "x"}], r"no answer 1 for A/0 \(2 of 3 missing\): lower sampling.n"),
    ],
)
async def test_what_is_wrong_with_a_file_that_lacks_answers_is_told(tmp_path: Path, rows: list, words: str) -> None:
    path = write(tmp_path / "a.jsonl", *rows)
    with pytest.raises(UserError, match=words):
        await replay(path, Request(Prompt("A/0"), (0, 1)), Request(Prompt("A/1"), (0,)))
