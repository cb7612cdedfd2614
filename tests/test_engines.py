"""Which models stay loaded from run to run."""

import pytest

from evalplus_run.engines import Engines
from evalplus_run.models.settings import LlamaCppSettings, ReplaySettings

ONE, TWO = LlamaCppSettings(path="one.gguf"), LlamaCppSettings(path="two.gguf")


class Counted:
    """A model that notes what is done to it."""

    def __init__(self, path, order, *, local=True):
        self.path, self.order, self.local = path, order, local
        self.done = []

    async def start(self, thinking="auto"):
        self._note("start")

    async def close(self):
        self._note("close")

    def _note(self, what):
        self.done.append(what)
        self.order.append(f"{what} {self.path}")


@pytest.fixture
def built(monkeypatch):
    """The models that were made, in turn."""
    made, order = [], []

    def build(settings):
        made.append(Counted(settings.path, order, local=settings.kind != "replay"))
        return made[-1]

    monkeypatch.setattr("evalplus_run.engines.build", build)
    return made


async def run(engines, settings, thinking="auto", *, fails=""):
    model = engines.model(settings, thinking)
    if fails == "before":
        raise RuntimeError
    await engines.start(model, settings, thinking)
    with engines.asked():
        if fails == "asked":
            raise RuntimeError
    if fails == "after":
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


def test_the_model_before_is_closed_when_the_next_one_starts(built):
    with Engines(keep=True) as engines:
        engines.run(run(engines, ONE))
        engines.run(run(engines, TWO))
        assert built[0].order == ["start one.gguf", "close one.gguf", "start two.gguf"]


def test_a_model_that_was_being_asked_when_its_run_broke_is_not_used_again(built):
    with Engines(keep=True) as engines:
        engines.run(run(engines, ONE))
        with pytest.raises(RuntimeError):
            engines.run(run(engines, ONE, fails="asked"))
        assert engines.broke
        engines.run(run(engines, ONE))
        assert [model.done for model in built] == [["start", "close"], ["start"]]
        assert not engines.broke


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_model_outlives_a_run_that_broke_before_it_was_asked_or_after_its_last_answer(built, moment):
    with Engines(keep=True) as engines:
        engines.run(run(engines, ONE))
        with pytest.raises(RuntimeError):
            engines.run(run(engines, ONE, fails=moment))
        assert not engines.broke
        engines.run(run(engines, ONE))
        assert [model.done for model in built] == [["start"]]


@pytest.mark.parametrize(("keep", "settings"), [(False, ONE), (True, ReplaySettings(path="a.jsonl"))])
def test_alone_or_without_weights_a_model_ends_with_its_run(built, keep, settings):
    with Engines(keep=keep) as engines:
        engines.run(run(engines, settings))
        assert built[0].done == ["start", "close"]
