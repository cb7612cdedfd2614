import pytest
from page_reader import Page, hostile, noise

from evalplus_run.records import Outcome
from evalplus_run.report.html import write_html
from evalplus_run.report.page_data import RunPage, groups
from evalplus_run.report.page_texts import pack


def test_a_sample_has_its_failing_test_its_program_and_its_answer(build, make_sample):
    page = build(make_sample("T/7", 3, plus=Outcome.WRONG), make_sample("T/8"))
    failing, passing = page.samples["1/3/T/7"], page.samples["1/0/T/8"]
    assert failing["verdict"] == "base pass, plus wrong"
    assert failing["failures"] == [
        {
            "title": "base + plus: wrong",
            "lines": [
                ["test", "1"],
                ["call", "f((3, {4}))"],
                ["expected", "3"],
                ["got", "None"],
                ["error", "TypeError: no (line 2)"],
            ],
            "line": 2,
        }
    ]
    assert failing["answer"] == "raw def f(x): pass\n"
    assert passing["failures"] == []
    assert passing["program"] == "def f(x): pass\n"


def test_a_whole_run_of_long_hostile_programs_stays_under_two_megabytes(tmp_path, make_sample, make_summary):
    samples = [hostile(make_sample(f"T/{task}", plus=Outcome.WRONG), "<" * 20_000) for task in range(164)]
    path = tmp_path / "report.html"
    write_html(path, [RunPage(make_summary(*samples), samples, {})])
    assert path.stat().st_size < 2_000_000


def test_texts_that_pack_badly_are_shortened_until_they_fit(tmp_path, make_sample, make_summary):
    samples = [hostile(make_sample(f"T/{task}", plus=Outcome.WRONG), noise(task, 20_000)) for task in range(400)]
    path = tmp_path / "report.html"
    write_html(path, [RunPage(make_summary(*samples), samples, {})])
    assert path.stat().st_size < 2_000_000
    for shown in Page(path.read_text()).samples.values():
        assert "more characters" in shown["program"]


def test_texts_that_never_fit_are_left_out_and_that_is_said(tmp_path, make_sample, make_summary, monkeypatch):
    monkeypatch.setattr("evalplus_run.report.page_texts._LEAST_ROOM", 0)
    monkeypatch.setattr("evalplus_run.report.page_texts._ROOM_OF_A_SAMPLE", 500)
    samples = [hostile(make_sample(f"T/{task}", plus=Outcome.WRONG), noise(task, 20_000)) for task in range(164)]
    path = tmp_path / "report.html"
    write_html(path, [RunPage(make_summary(*samples), samples, {})])
    programs = [shown["program"] for shown in Page(path.read_text()).samples.values()]
    assert "more characters" in programs[0]
    assert programs[-1] == "(left out: the page is full; the run's folder has it)"


@pytest.mark.parametrize("room", [100, 1_000, 4_000, 20_000])
def test_the_longest_texts_that_fit_are_found_by_a_few_chunks_as_by_all(make_sample, make_summary, monkeypatch, room):
    monkeypatch.setattr("evalplus_run.report.page_texts._LEAST_ROOM", 0)
    monkeypatch.setattr("evalplus_run.report.page_texts._ROOM_OF_A_SAMPLE", room)
    monkeypatch.setattr("evalplus_run.report.page_texts._SAMPLES", 1)
    samples = [hostile(make_sample(f"T/{task}", plus=Outcome.WRONG), noise(task, 9_000)) for task in range(40)]
    benchmarks = groups([RunPage(make_summary(*samples), samples, {})])
    tried_in_full = pack(benchmarks)
    monkeypatch.setattr("evalplus_run.report.page_texts._LOOKED_AT", 4)
    assert pack(benchmarks) == tried_in_full
