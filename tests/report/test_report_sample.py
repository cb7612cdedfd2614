import io
from dataclasses import replace

from rich.console import Console

from evalplus_run.records import Outcome, SuiteVerdict
from evalplus_run.report.prompt import PromptForm
from evalplus_run.report.sample import failures, render_sample, samples_in_order

PASS, WRONG = Outcome.PASS, Outcome.WRONG


def printed(sample, form=None, **options):
    stream = io.StringIO()
    render_sample(sample, Console(file=stream, width=60, **options), form)
    return stream.getvalue()


def test_samples_stand_in_the_tasks_order_with_what_is_known_of_each(make_sample):
    made = [make_sample(task, index) for task in ("T/9", "T/10") for index in (0, 1)]
    tasks = {sample.task.task_id: sample.task for sample in made}
    judged, answered = made[1], made[2]
    found = samples_in_order(
        tasks,
        [sample.program for sample in (*made[::-1], make_sample("T/11"))],
        {("T/9", 1): judged.verdict},
        {("T/10", 0): answered.completion},
    )
    assert [sample.program for sample in found] == [sample.program for sample in made]
    assert [sample.verdict for sample in found] == [None, judged.verdict, None, None]
    assert [sample.completion for sample in found] == [None, None, answered.completion, None]


def test_a_failing_sample_shows_task_answer_program_and_the_failing_test(make_sample):
    lines = printed(make_sample("T/7", 3, plus=WRONG)).splitlines()
    assert lines[0] == "T/7 #3: base pass, plus wrong"
    assert lines[1:] == [
        *("== task ==", "def f(x):"),
        *("== raw answer ==", "raw def f(x): pass"),
        *("== program ==", "def f(x): pass"),
        *("== plus: wrong ==", "test: 1", "call: f((3, {4}))", "expected: 3", "got: None"),
        "error: TypeError: no (line 2)",
    ]


def test_a_sample_without_a_program_has_no_part_for_it(make_sample):
    assert "== program ==" not in printed(make_sample(solution="", base=Outcome.EMPTY))


def test_the_prompt_stands_in_the_tasks_place_where_it_is_known_and_sends_nothing_to_the_terminal(make_sample):
    text = printed(make_sample(), PromptForm("<|user|>\x1b[31m\n", "<|end|>"), force_terminal=True, color_system=None)
    assert "== prompt as sent ==\n<|user|>\\x1b[31m\ndef f(x):<|end|>\n== raw" in text
    assert "== task ==" not in text


def test_the_strict_profile_is_named_where_it_differs(make_sample):
    line = printed(make_sample(plus=WRONG, strict=(PASS, PASS))).splitlines()[0]
    assert line == "T/0 #0: base pass, plus wrong (strict: base pass, plus pass)"


def test_a_sample_that_is_not_judged_or_not_sampled_is_still_shown(make_sample):
    text = printed(replace(make_sample(), verdict=None, completion=None))
    assert "not judged yet" in text
    assert "raw answer" not in text
    assert "def f(x): pass" in text


def test_a_task_without_plus_tests_has_no_plus_verdict(make_sample):
    sample = make_sample(base=WRONG, plus=PASS)
    sample = replace(sample, task=replace(sample.task, plus_inputs=()))
    assert printed(sample).startswith("T/0 #0: base wrong\n")
    assert [one.suite for one in failures(sample)] == ["base"]


def test_a_failure_before_any_test_has_no_call(make_sample):
    sample = make_sample(base=WRONG)
    base = SuiteVerdict(Outcome.SYNTAX_ERROR, error="SyntaxError: invalid syntax", line=1)
    verdict = replace(sample.verdict, evalplus=replace(sample.verdict.evalplus, base=base))
    (failure,) = failures(replace(sample, verdict=verdict))
    assert failure.call == ""


def test_a_long_line_of_a_program_stays_whole_and_sends_nothing_to_the_terminal(make_sample):
    line = "x = '" + "a" * 300 + "\x1b]0;evil\x07[bold]'"
    text = printed(make_sample(solution=line), force_terminal=True, color_system=None)
    assert "a" * 300 + "\\x1b]0;evil\\x07[bold]'" in text
    assert "\x1b]" not in text


def test_the_sanitizers_notes_are_shown(make_sample):
    sample = make_sample()
    sample = replace(sample, program=replace(sample.program, notes={"block": "2 of 3"}))
    assert "sanitizer, block: 2 of 3" in printed(sample)
