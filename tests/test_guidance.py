"""`evalplus-run inputs` with a model that is asked, and programs that run beside, through the command line."""

import json

from evalplus_run.benchmarks import load
from evalplus_run.config import parse
from evalplus_run.engines import Engines
from evalplus_run.evaluate.judging import Rules
from evalplus_run.evaluate.settings import EvaluateSettings
from evalplus_run.guidance import Guidance
from evalplus_run.progress import Progress
from evalplus_run.sandbox.settings import SandboxSettings
from evalplus_run.sandbox.tiers import choose_tier
from tests.models.stub_server import chat_reply, in_a_thread
from tests.test_generation import BENCHMARK, options, written
from tests.testgen.conftest import MEMORY


def jsonl(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def guided(folder):
    """A model's answers, and two files of samples of which one holds a program twice."""
    asked = ("add(7, -7)\nadd(10**9, 1)", "[[5, 6], [7, 8]]", "I cannot.")
    turned = ('turned("x\\ny")', "", "turned('it')")
    answers = [
        {"task_id": f"Mine/{task}", "text": text} for task, texts in enumerate((asked, turned)) for text in texts
    ]
    limited = "def turned(text):\n    return text[::-1] if len(text) < 5 else text"
    stripped = "def turned(text):\n    return text.strip()[::-1]"
    first = [{"task_id": "Mine/1", "solution": each} for each in (limited, limited + "  # again")]
    second = [{"task_id": "Mine/1", "solution": stripped}, {"task_id": "Mine/0", "solution": "def add(a, b): return 4"}]
    return [
        "model=replay",
        f"model.path={jsonl(folder / 'answers.jsonl', *answers)}",
        f"samples=[{jsonl(folder / 'one.jsonl', *first)},{jsonl(folder / 'other.jsonl', *second)}]",
    ]


def provenance(path):
    return [
        (made["by"], made["shows"]) for line in path.read_text().splitlines()[1:] for made in json.loads(line)["inputs"]
    ]


def test_inputs_of_a_model_and_those_that_tell_programs_apart_say_so_and_other_guides_want_another_folder(
    evalplus_run, tmp_path
):
    path, guides = written(tmp_path), guided(tmp_path)
    told = evalplus_run(*options(path, *guides))
    made = provenance(tmp_path / "made/tasks.jsonl")
    assert [by[1] for by, _ in made if by[:1] == ["model"]] == ["hard 0", "corner 1", "corner 1", "hard 0", "complex 2"]
    shown = {each for _, shows in made for each in shows if each.startswith("program")}
    assert shown == {"program one 0", "program other 0"}
    assert "answer: not literals 1" in told.stdout
    assert "inputs that a model wrote: 5" in told.stdout
    assert "of 2 programs under test that are right on the base inputs they tell 2" in told.stdout
    assert "fails the base inputs: 1" in told.stdout
    noted = json.loads((tmp_path / "made/guides.json").read_text())
    assert noted["model"]["kind"] == "replay"
    assert [each["sanitizer"] for each in noted["samples"]] == ["none", "none"]
    jsonl(tmp_path / "one.jsonl", {"task_id": "Mine/1", "solution": "x = 1"})
    assert "model or samples" in evalplus_run(*options(path, *guides), status=2).stderr


def test_with_a_model_and_programs_any_processes_and_any_hash_seed_make_the_same_too(evalplus_run, tmp_path):
    path, guides = written(tmp_path), guided(tmp_path)
    evalplus_run(*options(path, *guides, "executor.workers=1"), environment={"PYTHONHASHSEED": "1"})
    evalplus_run(*options(path, *guides, "run_dir=other", "executor.workers=2"), environment={"PYTHONHASHSEED": "2"})
    first, other = (
        [sorted((tmp_path / folder / name).read_bytes().splitlines()) for name in ("custom.jsonl", "tasks.jsonl")]
        for folder in ("made", "other")
    )
    assert first == other


def test_a_task_with_a_check_shows_a_model_its_recorded_inputs(tmp_path):
    check = "def check(candidate):\n    assert candidate(1, 2) == 3\n"
    path = written(tmp_path, [{key: BENCHMARK[0][key] for key in BENCHMARK[0] if "input" not in key} | {"test": check}])
    rules = Rules(MEMORY, EvaluateSettings(), choose_tier(SandboxSettings()))
    with in_a_thread(lambda asked, number: chat_reply(f"add({number}, 9)")) as server, Engines() as engines:
        model = {"kind": "openai", "name": "m", "base_url": server.url}
        config = parse({"dataset": {"name": "custom", "path": str(path)}, "model": model})
        dataset = load(config.dataset)
        guides = Guidance(config, dataset, engines).of(dataset.tasks, tmp_path, [], rules, Progress())
    assert len(guides["Mine/0"].answers) == len(server.asked) == 3
    assert all("\nadd(1, 2)\n" in each.body["messages"][-1]["content"] for each in server.asked)
