import io
import re
from dataclasses import replace

import pytest
from rich.console import Console

from evalplus_run.records import Outcome
from evalplus_run.report.summary import SanitizersCompared
from evalplus_run.report.terminal import print_run

PASS, WRONG = Outcome.PASS, Outcome.WRONG


def printed(summary, width=60, **options):
    stream = io.StringIO()
    print_run(summary, Console(file=stream, width=width, **options))
    return stream.getvalue()


@pytest.fixture
def samples(make_sample):
    return [make_sample(f"T/{task}", plus=PASS if task else WRONG) for task in range(4)]


def test_the_headline_is_evalplus_with_its_interval(samples, make_summary):
    lines = [" ".join(line.split()) for line in printed(make_summary(*samples)).splitlines()]
    assert "pass@1 evalplus 100.0 [51.0, 100.0] 75.0 [30.1, 95.4]" in lines


def test_strict_is_silent_where_it_agrees(samples, make_summary):
    assert "strict" not in printed(make_summary(*samples))


def test_strict_speaks_where_it_differs_and_names_the_samples(samples, make_sample, make_summary):
    moved = make_sample("T/9", 3, plus=WRONG, strict=(PASS, PASS))
    text = printed(make_summary(*samples, moved))
    assert "pass@1 strict" in text
    assert "1 sample moved:" in " ".join(text.split())
    assert "T/9 #3, base + plus: wrong -> pass" in text


@pytest.mark.parametrize("n", [1, 200])
def test_no_line_but_the_path_is_wider_than_the_screen(n, make_sample, make_summary):
    samples = [make_sample(f"T/{task}", index, strict=(PASS, WRONG)) for task in range(3) for index in range(n)]
    text = printed(make_summary(*samples, warnings=("a word " * 30,)))
    assert all(len(line.rstrip()) <= 60 for line in text.splitlines() if not line.startswith("Files"))
    assert "…" not in text
    assert ("pass@100 evalplus" in text) == (n == 200)


def test_without_a_terminal_there_is_no_colour_and_no_frame(samples, make_summary):
    text = printed(make_summary(*samples, warnings=("beware",)))
    assert "\x1b" not in text
    assert all(not 0x2500 <= ord(character) < 0x2580 for character in text)


def test_a_path_is_never_broken(samples, make_summary):
    path = "/runs/" + "very-long-name/" * 20
    assert f"Files: {path}\n" in printed(make_summary(*samples, run_dir=path))


def test_a_partial_set_says_so(samples, make_summary):
    assert "Partial: 4 of 164 tasks, 4 samples." in printed(make_summary(*samples, tasks_in_dataset=164))
    assert "Partial" not in printed(make_summary(*samples))


def test_a_benchmark_without_plus_tests_shows_no_plus_column(samples, make_summary):
    assert "plus" not in printed(make_summary(*samples, suites=("base",))).replace("evalplus", "").replace(
        "humaneval_plus", ""
    )


def test_what_is_known_of_time_tokens_and_money_is_told_and_nothing_else(samples, make_summary):
    summary = make_summary(*samples)
    bare = printed(summary)
    assert not any(word in bare for word in ("Time", "Tokens", "Cost"))
    costs = {"completion_tokens": 45_678, "tokens_per_second": 41.7, "seconds": {"sampling": 7.25}, "cost": 0.5}
    full = printed(replace(summary, **costs), width=100)
    assert "Time: sampling 7.2 s" in full
    assert "Tokens: 45,678 new (41.7 new tokens/s)" in full
    assert "Cost: 0.5000" in full


def test_warnings_and_outcomes_are_all_there(samples, make_sample, make_summary):
    host = make_sample("T/0", 1, base=Outcome.HOST_FAULT)
    text = printed(make_summary(*samples, host, warnings=("first", "second")))
    assert "Warning: first" in text
    assert "Warning: second" in text
    assert ["host_fault", "1", "1"] in [line.split() for line in text.splitlines()]
    assert "1 sample left out: the machine failed" in text


def test_an_estimate_that_does_not_exist_is_explained(make_sample, make_summary):
    samples = [make_sample(index=index) for index in range(10)] + [make_sample("T/1")]
    text = printed(make_summary(*samples))
    assert "n/a: a task has fewer than k judged samples." in text


def test_a_name_is_neither_markup_nor_an_escape(samples, make_summary):
    text = printed(make_summary(*samples, model="[red]evil[/red]\x1b[2J"), force_terminal=True)
    assert "[red]evil[/red]\\x1b[2J" in text
    assert "\x1b[2J" not in text


def test_the_line_on_sanitizers_names_the_first_samples_and_counts_all(samples, make_summary):
    compared = SanitizersCompared(
        samples=1234,
        only_default=tuple((f"T/{task}", 1) for task in range(1100)),
        only_evalplus=(("T/2", 0),),
        only_cleaned=tuple((f"T/{task}", 0) for task in range(5)),
        only_whole=(),
    )
    line = " ".join(printed(make_summary(*samples, sanitizers=compared)).split())
    assert (
        "Sanitizers: passing in one way only, of 1,234 samples: 1,100 with default (T/0 #1, T/1 #1, T/2 #1 and 1,097 "
        "more), 1 with evalplus (T/2 #0), 5 cleaned (T/0 #0, T/1 #0, T/2 #0 and 2 more)."
    ) in line
    none = replace(compared, only_default=(), only_evalplus=(), only_cleaned=())
    shown = " ".join(printed(make_summary(*samples, sanitizers=none)).split())
    assert "Sanitizers: passing in one way only, of 1,234 samples: none." in shown
    assert "Sanitizers:" not in printed(make_summary(*samples))


def test_what_the_other_sanitizer_would_let_pass_is_told_where_it_is_anything(samples, make_summary):
    def told(sanitizer, **compared):
        shown = " ".join(printed(make_summary(*samples, sanitizer=sanitizer, **compared), width=200).split())
        return re.findall(r"With sanitizer=[^.]*|The default sanitizer keeps[^.]*", shown)

    none = SanitizersCompared(samples=4, only_default=(), only_evalplus=(), only_cleaned=(("T/1", 0),), only_whole=())
    more = replace(none, only_default=tuple((f"T/{task}", 0) for task in range(21)))
    both = replace(more, only_evalplus=(("T/30", 0),))
    assert told("evalplus", sanitizers=more) == ["With sanitizer=default 21 more would pass"]
    assert told("default", sanitizers=both) == ["With sanitizer=evalplus 1 more would pass and 21 that pass would not"]
    assert told("default") == ["The default sanitizer keeps programs that EvalPlus's loses"]
    assert told("default", sanitizers=none) == told("evalplus", sanitizers=none) == told("evalplus") == []


def test_a_run_that_is_not_comparable_says_why(samples, make_summary):
    def told(**changes):
        shown = " ".join(printed(make_summary(*samples, comparable=False, **changes), width=200).split())
        return re.findall(r"Not comparable with published scores, because (.*?)\. [A-Z]", shown)

    assert told(dataset="own", version="1") == ["own 1 is not known as a release of EvalPlus's"]
    assert told(sanitizer="default", tasks_in_dataset=164)[0].endswith(
        "of 164 tasks are judged and published ones clean as sanitizer=evalplus does"
    )
    assert told() == ["it is not known that EvalPlus's rules judged EvalPlus's tests"]
    assert "Not comparable" not in printed(make_summary(*samples))
