"""The presets below `conf/experiment/`: that they set what they say, and publish what was published."""

import functools
import json
import os
import re
from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf

from evalplus_run import config, launch, overrides
from evalplus_run.benchmarks.registry import RELEASES, is_current

EXPERIMENTS = overrides.groups_in([launch.config_dir()])["experiment"]
REPRODUCED = [name for name in EXPERIMENTS if name.startswith("reproduce/")]
SOURCE = re.compile(r"EvalPlus leaderboard, (?P<model>.+), https://evalplus\.github\.io/leaderboard\.html")
COLUMNS = {"humaneval_plus": ("humaneval", "humaneval+"), "mbpp_plus": ("mbpp", "mbpp+")}
RIGHT = "def sum_even_at_odd_index(numbers):\n    return sum(v for v in numbers[1::2] if v % 2 == 0)\n"


@functools.cache
def composed(*arguments):
    launch._store_schema()
    with initialize_config_dir(str(launch.config_dir()), version_base="1.3"):
        raw = OmegaConf.to_container(compose("config", list(arguments)), resolve=True)
    return config.parse(raw)


def leaderboard():
    """The facts, by the leaderboard's name of the model."""
    path = Path(os.environ.get("EVALPLUS_RUN_DATA", "")) / "evalplus_leaderboard.json"
    if not os.environ.get("EVALPLUS_RUN_DATA") or not path.exists():
        pytest.skip("EVALPLUS_RUN_DATA names no folder with evalplus_leaderboard.json")
    return json.loads(path.read_text())


def row_of(name):
    """The published scores of a preset, and its model's row of the leaderboard."""
    published = composed(f"experiment={name}").published
    (model,) = {SOURCE.fullmatch(each.source)["model"] for each in published.values()}
    return published, leaderboard()[model]


def test_greedy_is_how_the_leaderboard_is_made():
    made = composed("experiment=greedy")
    assert (made.sampling.n, made.sampling.temperature, made.sampling.max_tokens) == (1, 0.0, 768)
    assert (made.prompt.style, made.sanitizer.name, made.dataset.name) == ("evalplus", "evalplus", "humaneval_plus")


def test_passk_is_200_samples_at_temperature_08_within_095_of_the_probability():
    made = composed("experiment=passk")
    assert (made.sampling.n, made.sampling.temperature, made.sampling.top_p) == (200, 0.8, 0.95)
    assert made.k == (1, 10, 100)


def test_what_a_preset_chooses_can_be_chosen_otherwise():
    made = composed("experiment=greedy", "prompt=base", "sanitizer=default", "sampling=nucleus", "dataset=mbpp_plus")
    assert (made.prompt.style, made.sanitizer.name) == ("base", "default")
    assert (made.sampling.n, made.dataset.name) == (10, "mbpp_plus")


def test_a_temperature_sweep_makes_a_run_for_each_temperature(evalplus_run, tmp_path):
    row = json.dumps({"task_id": "Example/0", "text": RIGHT}) + "\n"
    (tmp_path / "answers.jsonl").write_text(row * 10)
    model = ("model=replay", "model.path=answers.jsonl", "dataset=example", "sanitizer.compare=false")
    evalplus_run("-m", "experiment=temperature_sweep", *model)
    runs = {path.parent.name.partition("-")[0] for path in (tmp_path / "outputs").rglob("scores.json")}
    assert runs == {"t0.2", "t0.4", "t0.6", "t0.8"}


def test_at_least_twelve_models_of_the_leaderboard_can_be_reproduced():
    assert len(REPRODUCED) >= 12
    assert len({composed(f"experiment={name}").model.name for name in REPRODUCED}) == len(REPRODUCED)


@pytest.mark.parametrize("name", REPRODUCED)
def test_a_reproduction_is_made_as_the_leaderboard_and_names_source_and_version(name):
    made = composed(f"experiment={name}")
    assert (made.sampling.n, made.sampling.temperature, made.sanitizer.name) == (1, 0.0, "evalplus")
    if made.model.kind == "vllm":
        assert (made.model.dtype, made.model.max_model_len) == ("bfloat16", 2048)
    assert "humaneval_plus" in made.published
    for dataset, published in made.published.items():
        assert SOURCE.fullmatch(published.source)
        assert published.base > published.plus
        versions = {each.version for each in RELEASES if each.name == dataset and is_current(each)}
        assert published.version in versions


@pytest.mark.parametrize("name", REPRODUCED)
def test_a_reproduction_takes_another_engine_or_given_answers_in_its_place(name):
    for kind in ("replay", "transformers", "openai", "llama_cpp"):
        made = composed(f"experiment={name}", f"model={kind}")
        assert made.model.kind == kind
        assert made.model.name == composed(f"experiment={name}").model.name


@pytest.mark.official
@pytest.mark.parametrize("name", REPRODUCED)
def test_what_a_reproduction_is_held_against_was_published(name):
    published, row = row_of(name)
    for dataset, columns in COLUMNS.items():
        given = published.get(dataset)
        told = (given.base, given.plus) if given else (None, None)
        assert told == tuple(row["pass@1"][column] for column in columns)


@pytest.mark.official
@pytest.mark.parametrize("name", REPRODUCED)
def test_a_reproduction_asks_the_leaderboards_model_in_a_chat_where_it_did(name):
    _, row = row_of(name)
    made = composed(f"experiment={name}")
    assert made.prompt.style == ("evalplus" if row["prompted"] else "base")
    hub = row["link"].removeprefix("https://huggingface.co/")
    if hub != row["link"]:
        assert (made.model.kind, made.model.name) == ("vllm", hub)


@pytest.mark.official
def test_the_report_of_a_reproduction_says_whether_it_is_consistent(evalplus_run, tmp_path):
    leaderboard()
    answers = [{"task_id": f"HumanEval/{task}", "text": "```python\npass\n```"} for task in range(2)]
    (tmp_path / "answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in answers))
    model = ("model=replay", "model.path=answers.jsonl", "dataset.limit=2", "run_dir=run")
    done = evalplus_run("experiment=reproduce/phi-2", *model)
    told = "base: published 49.4 is not held against ours, since ours is of 2 of 164 tasks (EvalPlus leaderboard"
    assert told in " ".join(done.stdout.split())
    assert told in (tmp_path / "run" / "report.html").read_text()
    (scores,) = json.loads(evalplus_run("report", "run", "--json").stdout)
    assert scores["consistent"] == {"base": None, "plus": None}
    assert scores["published"]["plus"] == 45.1
    drawn = evalplus_run("experiment=reproduce/phi-2", *model, "sampling.temperature=0.8", "run_dir=drawn")
    assert "and it was drawn at temperature 0 and this run at 0.8" in " ".join(drawn.stdout.split())


def test_the_help_lists_every_experiment_with_no_name_broken(evalplus_run):
    text = evalplus_run("--help").stdout
    assert all(re.search(rf"[ {{]{re.escape(name.rpartition('/')[2])}[,}}\n]", text) for name in EXPERIMENTS)
