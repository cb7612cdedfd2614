"""Answers to questions for inputs: kept, taken from beside, asked for within a budget."""

import json

import pytest

from evalplus_run.asking_stage import AskingStage
from evalplus_run.benchmarks import load
from evalplus_run.config import parse
from evalplus_run.engines import Engines
from evalplus_run.progress import Progress
from evalplus_run.records import RunFailed
from tests.models.stub_server import chat_reply, in_a_thread
from tests.test_generation import written


@pytest.fixture
def server():
    with in_a_thread(lambda asked, number: chat_reply(f"add({number}, 9)")) as running:
        yield running


@pytest.fixture
def folder(tmp_path):
    path = tmp_path / "inputs-a"
    path.mkdir()
    return path


def answers(server, tmp_path, folder, beside=(), temperature=0, calls=3, **model):
    settings = {"kind": "openai", "name": "m", "base_url": server.url, **model}
    config = parse(
        {
            "dataset": {"name": "custom", "path": str(written(tmp_path))},
            "model": settings,
            "sampling": {"temperature": temperature, "max_tokens": 100},
            "testgen": {"calls": calls},
        }
    )
    dataset = load(config.dataset)
    with Engines() as engines:
        return AskingStage(config, dataset, engines).answers(dataset.tasks, folder, list(beside), Progress())


def test_each_task_is_asked_so_many_questions_and_nothing_twice(server, tmp_path, folder):
    found = answers(server, tmp_path, folder)
    assert {task: [each.index for each in rows] for task, rows in found.items()} == {
        "Mine/0": [0, 1, 2],
        "Mine/1": [0, 1, 2],
    }
    assert len({each.body["messages"][-1]["content"] for each in server.asked}) == 6
    (file,) = folder.glob("answers-*.jsonl")
    file.write_bytes(file.read_bytes()[:-100])
    answers(server, tmp_path, folder)
    assert len(server.asked) == 7
    assert len(answers(server, tmp_path, folder, calls=4)["Mine/1"]) == 4
    assert len(server.asked) == 9


def test_answers_of_other_folders_are_taken_where_the_questions_were_the_same(server, tmp_path, folder):
    first = answers(server, tmp_path, folder)
    other = tmp_path / "inputs-b"
    other.mkdir()
    assert answers(server, tmp_path, other, [folder]) == first
    assert len(server.asked) == 6
    assert len(list(other.iterdir())) == 1
    answers(server, tmp_path, other, [folder], temperature=1)
    assert len(server.asked) == 12


def test_a_budget_ends_the_questions_and_a_higher_one_goes_on(server, tmp_path, folder, capsys, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    prices = {"prices": {"m": {"input": 0, "output": 1000}}, "concurrency": 1}
    with pytest.raises(RunFailed, match="the same command with a higher"):
        answers(server, tmp_path, folder, budget=0.104, **prices)
    assert "forecast: 6 answers to 6 prompts" in capsys.readouterr().err
    assert len(server.asked) == 2
    answers(server, tmp_path, folder, budget=10, **prices)
    assert len(server.asked) == 6
    assert "sk-secret" in json.dumps(server.asked[0].headers)
    assert not any(b"sk-secret" in file.read_bytes() for file in folder.iterdir())
