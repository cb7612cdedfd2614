"""Every shipped configuration composes and parses."""

import pytest
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf

from evalplus_run import config, launch, overrides

CHOICES = [
    (group, option) for group, options in overrides.groups_in([launch.config_dir()]).items() for option in options
]
MODEL_NAMES = {"openai": ["++model.name=m"], "replay": ["++model.path=p"], "llama_cpp": ["++model.path=p"]}


def composed(*arguments):
    launch._store_schema()
    with initialize_config_dir(str(launch.config_dir()), version_base="1.3"):
        raw = OmegaConf.to_container(compose("config", list(arguments)), resolve=True)
    return config.parse(raw)


@pytest.mark.parametrize(("group", "option"), CHOICES)
def test_every_choice_composes_and_parses(group, option):
    assert composed(f"{group}={option}", *MODEL_NAMES.get(option, []))


@pytest.mark.parametrize(("group", "option"), CHOICES)
def test_every_choice_says_in_its_first_lines_what_it_is(group, option):
    text = (launch.config_dir() / group / f"{option}.yaml").read_text()
    assert any(line.startswith("# ") and not line.startswith("# @") for line in text.splitlines()[:2])


def test_the_quickstart_is_twenty_tasks_of_plain_humaneval_with_a_local_model():
    made = composed("experiment=quickstart")
    assert (made.dataset.name, made.dataset.limit, made.model.kind) == ("humaneval", 20, "llama_cpp")
    assert composed("experiment=quickstart", "++dataset.limit=null").dataset.limit is None


def test_published_numbers_settings_are_the_defaults():
    made = composed()
    assert (made.sampling.temperature, made.sampling.n, made.sampling.max_tokens) == (0.0, 1, 768)
    assert (made.prompt.style, made.prompt.prefill) == ("evalplus", True)
    assert (made.evaluate.min_time_limit, made.evaluate.time_factor) == (4.0, 4.0)


def test_the_ollama_preset_asks_this_machine_and_takes_no_other_servers_key():
    made = composed("model=ollama").model
    assert (made.kind, made.base_url, made.api_key_env) == ("openai", "http://localhost:11434/v1", "OLLAMA_API_KEY")
    assert made.thinking_by == "reasoning_effort"
