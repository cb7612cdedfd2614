"""Which models stay loaded from run to run."""

import pytest

from evalplus_run.engines import Engines
from evalplus_run.models.settings import LlamaCppSettings, ReplaySettings

ONE, TWO = LlamaCppSettings(path="one.gguf"), LlamaCppSettings(path="two.gguf")


class Counted:
    """A model that notes what is done to it."""

    def __init__(self, *, local=True):
        self.local = local
        self.done = []

    async def start(self, thinking="auto"):
        self.done.append("start")

    async def close(self):
        self.done.append("close")


@pytest.fixture
def built(monkeypatch):
    """The models that were made, in turn."""
    made = []

    def build(settings):
        made.append(Counted(local=settings.kind != "replay"))
        return made[-1]

    monkeypatch.setattr("evalplus_run.engines.build", build)
    return made


async def run(engines, settings, thinking="auto", *, fails=False):
    model = engines.model(settings, thinking)
    await engines.start(model, settings, thinking)
    if fails:
        raise RuntimeError
    await engines.release(model)


def test_a_model_is_loaded_once_for_runs_in_turn_and_ended_at_the_end(built):
    with Engines(keep=True) as engines:
        for _ in range(3):
            engines.run(run(engines, ONE))
        assert [model.done for model in built] == [["start"]]
    assert [model.done for model in built] == [["start", "close"]]


@pytest.mark.parametrize(("settings", "thinking"), [(TWO, "auto"), (ONE, "off")])
def test_another_model_ends_the_one_before(built, settings, thinking):
    with Engines(keep=True) as engines:
        engines.run(run(engines, ONE))
        engines.run(run(engines, settings, thinking))
        assert [model.done for model in built] == [["start", "close"], ["start"]]


def test_a_model_that_a_run_broke_with_is_not_used_again(built):
    with Engines(keep=True) as engines:
        engines.run(run(engines, ONE))
        with pytest.raises(RuntimeError):
            engines.run(run(engines, ONE, fails=True))
        engines.run(run(engines, ONE))
        assert [model.done for model in built] == [["start", "close"], ["start"]]


@pytest.mark.parametrize(("keep", "settings"), [(False, ONE), (True, ReplaySettings(path="a.jsonl"))])
def test_alone_or_without_weights_a_model_ends_with_its_run(built, keep, settings):
    with Engines(keep=keep) as engines:
        engines.run(run(engines, settings))
        assert built[0].done == ["start", "close"]
