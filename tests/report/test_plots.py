import builtins
import re
from xml.etree import ElementTree

import pytest

from evalplus_run.metrics.curve import curve
from evalplus_run.metrics.score import Tally, score
from evalplus_run.records import Outcome, UserError
from evalplus_run.report.comparison import Judged
from evalplus_run.report.plots import write_plots

PASS, WRONG = Outcome.PASS, Outcome.WRONG


def texts(path):
    """All that an SVG file says; it is well-formed XML."""
    root = ElementTree.parse(path).getroot()
    assert not [one for one in root.iter() if one.tag.endswith("}script")]
    return " ".join("".join(one.itertext()) for one in root.iter("{http://www.w3.org/2000/svg}text"))


def judged(samples, summary):
    return Judged(summary, Tally.of([sample.verdict for sample in samples], "evalplus"))


@pytest.fixture
def run(make_sample, make_summary):
    def make(model="m", n=1, **changes):
        samples = [
            make_sample(f"T/{task}", index, plus=PASS if index % 2 else WRONG)
            for task in range(3)
            for index in range(n)
        ]
        return judged(samples, make_summary(*samples, model=model, **changes))

    return make


def test_each_benchmark_has_its_plots(tmp_path, run):
    written = write_plots(tmp_path / "new", [run(), run(dataset="mbpp_plus"), run(version="v0.1.9")])
    benchmarks = ("humaneval_plus-v0.1.10-full", "mbpp_plus-v0.1.10-full", "humaneval_plus-v0.1.9-full")
    assert {path.name for path in written} == {
        f"{benchmark}-{what}.svg" for benchmark in benchmarks for what in ("scores", "outcomes")
    }
    assert all("m, greedy" in texts(path) for path in written)


@pytest.mark.parametrize("name", ["../../up", "/etc/x", "a\0b", "..", "x/../.."])
def test_no_name_of_a_benchmark_leads_out_of_the_folder(tmp_path, run, name):
    written = write_plots(tmp_path / "plots", [run(dataset=name, version=name, variant=name)])
    assert all(path.exists() and path.parent == tmp_path / "plots" for path in written)


def test_a_run_without_plus_tests_among_others_shows_nothing_of_plus(tmp_path, run):
    without = run("without", suites=("base",))
    alone, beside = (write_plots(tmp_path / name, runs) for name, runs in (("a", [run()]), ("b", [run(), without])))
    assert "outcomes on base + plus" in texts(beside[1])
    assert set(texts(beside[1]).split()) - set(texts(alone[1]).split()) == {"without,"}
    assert beside[1].read_text().count("#4477aa") == alone[1].read_text().count("#4477aa")


def test_the_k_that_is_drawn_is_named(tmp_path, make_sample, make_summary):
    samples = [make_sample(index=index) for index in range(4)]
    scores = score([sample.verdict for sample in samples], tasks_in_dataset=1, ks=[3])
    assert "pass@3 in %" in texts(write_plots(tmp_path, [judged(samples, make_summary(*samples, scores=scores))])[0])


def test_curves_are_drawn_where_there_are_several_samples(tmp_path, run):
    *_, curves = write_plots(tmp_path, [run(n=10), run("other")])
    assert curves.name == "humaneval_plus-v0.1.10-full-pass-at-k.svg"
    assert "10" in texts(curves).split()


def test_a_curve_is_drawn_through_every_k_that_the_page_draws(tmp_path, run):
    one = run(n=10)
    points = list(curve(one.tally, ["plus"]))
    assert [k for k, _ in points] == [1, 2, 3, 5, 7, 10]
    assert points[1][1] == [pytest.approx(1 - 5 / 10 * 4 / 9)]
    *_, curves = write_plots(tmp_path, [one])
    lines = [
        len(re.findall("[ML]", path.get("d")))
        for path in ElementTree.parse(curves).getroot().iter("{http://www.w3.org/2000/svg}path")
    ]
    assert len(points) in lines


def test_every_outcome_that_came_up_is_in_the_legend(tmp_path, run):
    _, outcomes, _ = write_plots(tmp_path, [run(n=2)])
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
    failed = make_sample(base=Outcome.HOST_FAULT)
    nothing = judged([failed], make_summary(failed, model="nothing"))
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
