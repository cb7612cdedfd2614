import csv
import io
from math import isnan

import pytest
from rich.console import Console

from evalplus_run.records import Outcome
from evalplus_run.report.leaderboard import as_csv, as_latex, as_markdown, print_leaderboard
from evalplus_run.report.leaderboard_rows import rows
from evalplus_run.report.published import Published
from evalplus_run.report.terminal import print_run
from evalplus_run.report.text import percent

PASS, WRONG = Outcome.PASS, Outcome.WRONG


@pytest.fixture
def run(make_sample, make_summary):
    """The summary of a run on ten tasks of which so many pass."""

    def make(passed, model="m", strict=None, **changes):
        samples = [
            make_sample(f"T/{task}", plus=PASS if task < passed else WRONG, strict=strict if task == 0 else None)
            for task in range(10)
        ]
        return make_summary(*samples, model=model, **changes)

    return make


def table(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_the_best_run_comes_first_within_its_benchmark(run):
    found = rows([run(3, "low"), run(9, "high", dataset="mbpp_plus"), run(8, "mid")])
    assert [row.model for row in found] == ["mid", "low", "high"]


def test_the_csv_gives_back_every_figure(run):
    summary = run(7)
    (row,) = table(as_csv([summary]))
    score = summary.scores["evalplus"]
    for name, exact in (("base", score.base[1]), ("plus", score.plus[1]), ("drop", score.drop[1])):
        figures = [float(row[f"{name}{end}"]) for end in ("", "_low", "_high")]
        assert figures == [exact.value, exact.low, exact.high]
    assert row["tasks"] == row["samples"] == "10"
    assert row["plus_sampling_error"] == row["plus_tasks_error"] == ""


def test_what_the_plus_tests_take_and_both_standard_errors_stand_in_every_table(make_sample, make_summary):
    samples = [
        make_sample(f"T/{task}", index, plus=WRONG if index else PASS) for task in range(4) for index in range(4)
    ]
    summary = make_summary(*samples, make_sample("T/4", plus=WRONG), make_sample("T/4", 1), comparable=False)
    score = summary.scores["evalplus"]
    (row,) = table(as_csv([summary]))
    for suite in ("base", "plus"):
        errors = [float(row[f"{suite}_{kind}_error"]) for kind in ("sampling", "tasks")]
        assert errors == [score.of(suite)[1].sampling_error, score.of(suite)[1].tasks_error]
    errors = f"{100 * score.plus[1].sampling_error:.1f}, {100 * score.plus[1].tasks_error:.1f}"
    for form in (as_markdown, as_latex):
        lines = [line for line in form([summary]).splitlines() if "pass@1" in line]
        assert [percent(score.drop[1]) in line and errors in line for line in lines] == [True]
    assert "standard errors (sampling, tasks) | tasks | comparable with published |" in as_markdown([summary])
    assert as_markdown([summary]).rstrip().endswith("| no |")


def test_columns_that_no_run_has_anything_for_are_left_out(run):
    assert "standard errors" not in as_markdown([run(7)])
    assert "drop" not in as_markdown([run(7, suites=("base",))])


def test_intervals_are_named_and_where_there_are_two_kinds_it_is_said_whose_each_is(run, make_sample, make_summary):
    once = run(7, "once")
    twice = make_summary(*(make_sample(f"T/{task}", index) for task in range(10) for index in range(2)), model="twice")
    assert "scores in % with 95% intervals (Wilson)" in as_markdown([once])
    assert "scores in % with 95% intervals (Agresti-Coull over tasks)" in as_latex([twice]).replace("\\", "")
    both = (
        "with 95% intervals (Wilson for one sample a task, Agresti-Coull over tasks for several; "
        "the latter are the wider on few tasks)"
    )
    assert both in as_markdown([twice, once])
    kinds = {row["model"]: row["interval"] for row in table(as_csv([once, twice]))}
    assert kinds == {"once": "Wilson", "twice": "Agresti-Coull over tasks"}
    other = make_summary(
        *(make_sample(f"T/{task}", index) for task in range(3) for index in range(2)), dataset="mbpp_plus"
    )
    assert as_markdown([once, other]).count("for several") == 0


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("=HYPERLINK(1)", "'=HYPERLINK(1)"),
        ("+1", "'+1"),
        ("@cf/a/b", "'@cf/a/b"),
        ("\t=1", "'\t=1"),
        ("a-b", "a-b"),
        ("\x1b]0;a\x07", "\\x1b]0;a\\x07"),
        ("\x9b31m", "\\x9b31m"),
        ('a"b,c\nd', 'a"b,c\nd'),
    ],
)
def test_a_name_in_the_csv_is_no_formula_and_no_command(run, name, written):
    assert [row["model"] for row in table(as_csv([run(7, name)]))] == [written]


def test_strict_has_a_row_of_its_own_only_where_it_differs(run):
    assert [row.judge for row in rows([run(5)])] == ["evalplus"]
    found = rows([run(5, strict=(PASS, WRONG))])
    assert [(row.judge, row.plus) for row in found] == [("evalplus", 0.5), ("strict", 0.4)]


def test_a_benchmark_without_plus_tests_has_no_plus_column(run):
    summary = run(5, suites=("base",))
    assert isnan(rows([summary])[0].plus)
    assert table(as_csv([summary]))[0]["plus"] == ""
    assert "plus" not in as_markdown([summary]).splitlines()[2]
    assert as_latex([summary]).count("&") == 2 * 6


def test_a_run_on_a_part_of_the_tasks_stands_behind_whole_ones(run, make_sample, make_summary):
    part = make_summary(make_sample(), tasks_in_dataset=10, model="part")
    assert [row.model for row in rows([part, run(2, "whole")])] == ["whole", "part"]


def test_a_run_without_the_plus_tests_stands_behind_those_with_them(run):
    assert [row.model for row in rows([run(9, "base only", suites=("base",)), run(2, "whole")])] == [
        "whole",
        "base only",
    ]


def test_on_the_terminal_no_figure_is_broken(run):
    stream = io.StringIO()
    print_leaderboard([run(7, "a-model-with-a-long-name-" * 3), run(3, "\x1b[31m")], Console(file=stream, width=70))
    text = stream.getvalue()
    assert "70.0 [39.7, 89.2]" in text
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) <= 70


@pytest.mark.parametrize("width", [30, 40])
def test_on_a_narrow_terminal_figures_break_and_none_is_cut_off(run, width):
    stream = io.StringIO()
    console = Console(file=stream, width=width)
    print_leaderboard([run(7)], console)
    print_run(run(7), console)
    assert "…" not in stream.getvalue()
    assert max(map(len, stream.getvalue().splitlines()[:-1])) <= width
    assert stream.getvalue().count("39.7,") == 2


def test_a_partial_set_says_so_in_its_row(make_sample, make_summary):
    summary = make_summary(make_sample(), tasks_in_dataset=164)
    assert "1 of 164" in as_markdown([summary])
    assert "1 of 164" in as_latex([summary])


HOSTILE = [
    "a|b",
    "*a* _b_",
    "<script>",
    "[x](javascript:1)",
    "a\nb",
    "\\input{/etc/passwd}",
    "50% & $x^2$ #1 ~",
    "\x1b[31m",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_stays_in_its_cell(run, name):
    plain, hostile = (as_markdown([run(5, model)]).splitlines() for model in ("m", name))
    assert len(hostile) == len(plain)
    assert hostile[4].replace("\\|", "").count("|") == plain[4].count("|")
    assert "<script" not in "\n".join(hostile).replace("\\<", "")
    assert "](" not in "\n".join(hostile).replace("\\](", "")
    plain, hostile = (as_latex([run(5, model)]) for model in ("m", name))
    assert len(hostile.splitlines()) == len(plain.splitlines())
    assert hostile.replace("\\&", "").count("&") == plain.count("&")
    assert "\\input" not in hostile
    assert "\x1b" not in hostile


@pytest.mark.parametrize(("name", "written"), [("[2]x", "{[}2]x"), ("*x", "{*}x")])
def test_a_row_of_latex_begins_with_no_argument_of_the_line_before(run, name, written):
    lines = as_latex([run(5, name), run(4)]).splitlines()
    assert [line.split(" & ")[0] for line in lines if line.startswith("{")] == [written]
    assert "50.0 [23.7, 76.3]" in lines[5]


def test_several_k_have_a_row_each_in_order(make_sample, make_summary):
    samples = [make_sample(f"T/{task}", index) for task in range(3) for index in range(10)]
    assert [row.k for row in rows([make_summary(*samples)])] == [1, 10]


def test_every_table_tells_how_many_samples_were_drawn_at_what_temperature(run, make_sample, make_summary):
    samples = [make_sample(f"T/{task}", index) for task in range(3) for index in range(2)]
    given = make_summary(*samples, sampling="given samples")
    (row,), (hot,) = (table(as_csv([one])) for one in (given, run(5, temperature=0.8)))
    assert (row["n"], row["temperature"]) == ("2.0", "")
    assert (hot["n"], hot["temperature"]) == ("1.0", "0.8")
    stream = io.StringIO()
    print_leaderboard([given], Console(file=stream, width=100))
    for text in (as_markdown([given]), as_latex([given]), stream.getvalue()):
        assert "given samples, n=2, evalplus" in " ".join(text.split())
    assert "n=1" not in as_markdown([run(5, sampling="n=1, temperature 0.8, top_p 0.95")]).replace("n=1, temp", "")


def test_what_was_published_stands_in_the_tables_beside_pass_at_1(make_sample, make_summary, run):
    samples = [make_sample(f"T/{task}", index) for task in range(3) for index in range(10)]
    summary = make_summary(*samples, published=Published(source="a", base=61.6, plus=57.3))
    one, ten = table(as_csv([summary]))
    assert (float(one["base_published"]), float(one["plus_published"])) == pytest.approx((0.616, 0.573))
    assert (ten["base_published"], ten["plus_published"]) == ("", "")
    for form in (as_markdown, as_latex):
        assert form([summary]).count("61.6, 57.3") == 1
        assert "published (base" not in form([run(5)])
