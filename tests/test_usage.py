"""What `--help` says of the keys, held against what they really are."""

import re

import pytest
from hydra import compose, initialize_config_dir

from evalplus_run import config, launch, launchers, usage

KEYS = list(config.fixed_keys())


@pytest.fixture(scope="module")
def entries():
    """What help says of each key outside `model`: its default, and the words that follow."""
    text = usage.text().partition("Keys (KEY=VALUE)")[2].partition("\n\n")[0]
    found = re.findall(r"^  ([\w.]+)=(.*(?:\n {4,}.*)*)", text, re.MULTILINE)
    told = {key: re.split(r" {2,}|\n +", rest, maxsplit=1) for key, rest in found}
    return {key: (default, " ".join(words.split())) for key, (default, words) in told.items()}


def test_the_default_that_is_told_is_the_one_that_applies(entries):
    launch._store_schema()
    with initialize_config_dir(str(launch.config_dir()), version_base="1.3"):
        made = compose("config")
    values = {key.path: usage._shown(_at(made, key.path)) for key in KEYS}
    assert {path: entries[path][0] for path in values} == values
    assert entries["sanitizer.name"][0] == "auto"


def _at(made, path):
    for name in path.split("."):
        made = made[name]
    return tuple(made) if path in ("k", "dataset.tasks", "sampling.stop", "report.to") else made


def test_all_that_a_key_takes_is_told_where_that_is_a_closed_set(entries):
    closed = {key.path: config.choices_of(key) for key in KEYS if config.choices_of(key)}
    assert closed.keys() >= {"dataset.name", "prompt.thinking", "sandbox.tier", "sanitizer.name", "report.to"}
    assert "seccomp-only" in closed["sandbox.tier"]
    for path, choices in closed.items():
        untold = [one for one in choices if not re.search(rf"\b{re.escape(one)}\b", entries[path][1])]
        assert untold == [], path


def test_a_models_closed_sets_are_told_too():
    of_vllm = usage.text().partition("Keys of model.kind=vllm:")[2]
    assert "one of auto, bfloat16, float16, float32" in " ".join(of_vllm.split())
    assert "as in {enforce_eager: true}" in " ".join(of_vllm.split())


@pytest.mark.parametrize("name", [name for name, launcher in launchers.LAUNCHERS.items() if launcher.keys])
def test_every_key_of_a_launcher_that_is_told_is_one_and_its_default_applies(name):
    extra = launchers.LAUNCHERS[name].extra
    pytest.importorskip(f"hydra_plugins.hydra_{extra}_launcher", reason=f"the extra {extra} is not installed")
    launch._store_schema()
    with initialize_config_dir(str(launch.config_dir()), version_base="1.3"):
        made = compose("config", [f"hydra/launcher={name}"], return_hydra_config=True).hydra.launcher
    section = usage.text().partition(f"hydra/launcher={name} ")[2].partition("hydra/launcher=")[0]
    told = dict(re.findall(r"^    hydra\.launcher\.(\w+)(?:=(\S+))?", section, re.MULTILINE))
    assert told.keys() == launchers.LAUNCHERS[name].keys.keys() <= made.keys()
    assert {key: value for key, value in told.items() if value} == {
        key: usage._shown(made[key]) for key, value in told.items() if value
    }
