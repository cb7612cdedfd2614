import builtins
from xml.etree import ElementTree

import pytest

from evalplus_run.records import Outcome, UserError
from evalplus_run.report.plots import write_plots

PASS, WRONG = Outcome.PASS, Outcome.WRONG


def texts(path):
    """All that an SVG file says; it is well-formed XML."""
    root = ElementTree.parse(path).getroot()
    assert not [one for one in root.iter() if one.tag.endswith("}script")]
    return " ".join("".join(one.itertext()) for one in root.iter("{http://www.w3.org/2000/svg}text"))


@pytest.fixture
def run(make_sample, make_summary):
    def make(model="m", n=1, **changes):
        samples = [
            make_sample(f"T/{task}", index, plus=PASS if index % 2 else WRONG)
            for task in range(3)
            for index in range(n)
        ]
        return make_summary(*samples, model=model, **changes)

    return make


def test_each_benchmark_has_its_plots(tmp_path, run):
    written = write_plots(tmp_path / "new", [run(), run(dataset="mbpp_plus")])
    assert {path.name for path in written} == {
        f"{dataset}-{what}.svg" for dataset in ("humaneval_plus", "mbpp_plus") for what in ("scores", "outcomes")
    }
    assert all("m, greedy" in texts(path) for path in written)


def test_curves_are_drawn_where_there_are_several_k(tmp_path, run):
    *_, curves = write_plots(tmp_path, [run(n=10), run("other")])
    assert curves.name == "humaneval_plus-pass-at-k.svg"
    assert "10" in texts(curves).split()


def test_every_outcome_that_came_up_is_in_the_legend(tmp_path, run):
    _, outcomes = write_plots(tmp_path, [run(n=2)])
    assert {"pass", "wrong"} <= set(texts(outcomes).split())
    assert "timeout" not in texts(outcomes)


@pytest.mark.parametrize(
    "name", ["<script>alert(1)</script>", "$\\frac{", "a\x1bb\ud800", "x" * 500, "_hidden", "%s & #"]
)
def test_any_name_is_text(tmp_path, run, name):
    scores, _ = write_plots(tmp_path, [run(name)])
    assert len(texts(scores)) < 400
    if len(name) < 30 and name.isprintable():
        assert name in texts(scores)


def test_a_run_without_a_score_is_named_without_a_mark(tmp_path, run, make_sample, make_summary):
    nothing = make_summary(make_sample(base=Outcome.HOST_FAULT), model="nothing")
    scores, _ = write_plots(tmp_path, [run(), nothing])
    assert "nothing" in texts(scores)


def test_a_benchmark_without_plus_tests_shows_base_alone(tmp_path, run):
    scores, outcomes = write_plots(tmp_path, [run(suites=("base",))])
    assert "plus" not in texts(scores) + texts(outcomes)


def test_the_same_runs_give_the_same_files(tmp_path, run):
    first, second = (write_plots(tmp_path / name, [run(n=10)]) for name in "ab")
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]


def test_without_matplotlib_the_extra_is_named(tmp_path, run, monkeypatch):
    real = builtins.__import__

    def without(name, *rest):
        if name.startswith("matplotlib"):
            raise ModuleNotFoundError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(UserError, match=r"evalplus-run\[plots\]"):
        write_plots(tmp_path, [run()])
