import json
import zlib
from base64 import b64decode, b64encode
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evalplus_run.records import Outcome
from evalplus_run.report.html import write_html
from evalplus_run.report.page_data import RunPage, groups
from evalplus_run.report.page_texts import pack
from evalplus_run.report.provenance import FileDigest
from evalplus_run.report.published import Published
from evalplus_run.report.summary import SanitizersCompared
from evalplus_run.report.text import visible

ATTACKS = [
    "</script><script>alert(1)</script>",
    "</code></pre></details><img src=x onerror=alert(1)>",
    "</textarea></title></style><svg onload=alert(1)>",
    '" onmouseover="alert(1)" x=\'',
    "' autofocus onfocus='alert(1)",
    "javascript:alert(1)",
    "<a href='javascript:alert(1)'>x</a>",
    "{{ 7 * 7 }}{% raw %}{# #}",
    "<!-- --><![CDATA[ ]]>&lt;script&gt;&#60;script&#62;",
    "<!--<script>",
    "<style>body{display:none}</style><base href='//evil'><meta http-equiv=refresh content='0;url=//evil'>",
    "\x00\u202e\u2028\ud800<\x00script>",
]


class Page(HTMLParser):
    """The elements of a page, in order, with their attributes; its texts, a space between them; its blocks of data."""

    def __init__(self, html):
        super().__init__()
        self.elements, self.text, self.style, self.scripts, self._inside = [], "", "", [], ""
        self.feed(html)
        self.index = json.loads(next(text for attributes, text in self.scripts if ("id", "index") in attributes))

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, tuple(attrs)))
        self._inside = tag
        if tag == "script":
            self.scripts.append([tuple(attrs), ""])

    def handle_endtag(self, tag):
        self._inside = ""

    def handle_data(self, data):
        if self._inside == "script":
            self.scripts[-1][1] += data
        elif self._inside == "style":
            self.style += data
        else:
            self.text += f" {data}"

    @property
    def words(self):
        return " ".join(self.text.split())

    @property
    def script(self):
        (text,) = (text for attributes, text in self.scripts if not attributes)
        return text

    @property
    def samples(self):
        """What the chunks have of each sample, by run/index/task."""
        chunks = [text for attributes, text in self.scripts if ("type", "text/plain") in attributes]
        found = {}
        for chunk in chunks:
            found |= json.loads(zlib.decompress(b64decode(chunk, validate=True)))["samples"]
        return found


@pytest.fixture
def build(tmp_path, make_summary):
    """The page of one run with these samples, parsed."""

    def run(*samples, manifest=None, digests=(), **changes):
        path = tmp_path / "report.html"
        write_html(path, [RunPage(make_summary(*samples, **changes), samples, manifest or {}, digests)])
        return Page(path.read_text(encoding="utf-8"))

    return run


@pytest.fixture
def build_several(tmp_path, make_summary):
    """The page of several runs, given by their names."""

    def run(**runs):
        path = tmp_path / "report.html"
        write_html(path, [RunPage(make_summary(*own, model=name), own, {}) for name, own in runs.items()])
        return Page(path.read_text(encoding="utf-8"))

    return run


def hostile(sample, text):
    """The sample with the text wherever a model, a program or a test can put text."""
    bad = replace(sample.verdict.evalplus.plus, expected=text, got=text, error=text)
    verdict = replace(sample.verdict, evalplus=replace(sample.verdict.evalplus, plus=bad))
    task = replace(sample.task, prompt=f"{text}.", plus_inputs=((text,), (text,)))
    completion = replace(sample.completion, text=text, reasoning=text)
    program = replace(sample.program, solution=text, notes={text: text})
    return replace(sample, task=task, program=program, verdict=verdict, completion=completion)


@pytest.mark.parametrize("attack", ATTACKS)
def test_hostile_text_changes_no_element_and_no_attribute(build, make_sample, attack):
    sample = make_sample(plus=Outcome.WRONG)

    def page(text):
        published = Published(source=text, plus=50)
        digests = [FileDigest(text, 1, "00")]
        changes = {"model": text, "warnings": (text,), "sampling": text, "run_dir": text, "sandbox": text}
        return build(hostile(sample, text), manifest={"model": text}, published=published, digests=digests, **changes)

    tame, found = page("tame"), page(attack)
    assert found.elements == tame.elements
    assert len(found.scripts) == len(tame.scripts)
    assert found.text.count(visible(attack)) >= 8
    (shown,) = found.samples.values()
    assert (shown["program"], shown["answer"], shown["reasoning"]) == (visible(attack),) * 3
    assert shown["notes"] == [[visible(attack)] * 2]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(text=st.text(st.characters(), min_size=1) | st.text("<>&\"'/-!= scriptonload{}%#\x00", min_size=1))
def test_no_text_at_all_changes_the_page(build, make_sample, text):
    sample = make_sample(plus=Outcome.WRONG)
    page = build(hostile(sample, text), model=text)
    assert page.elements == build(hostile(sample, "tame"), model="tame").elements
    (shown,) = page.samples.values()
    assert shown["program"] == visible(text)
    assert page.index["runs"][0]["label"] in visible(text)


def test_the_page_has_nothing_that_loads_and_links_within_itself_alone(build, make_sample):
    page = build(*(make_sample(f"T/{task}", plus=Outcome.WRONG) for task in range(3)))
    attributes = [attribute for _, attributes in page.elements for attribute in attributes]
    assert not {tag for tag, _ in page.elements} & {"link", "img", "iframe", "form", "object", "base", "embed", "audio"}
    assert not [name for name, _ in attributes if name in {"src", "style", "srcset"} or name.startswith("on")]
    assert all(value.startswith("#") for name, value in attributes if name == "href")


def test_the_policy_allows_the_pages_own_style_and_script_and_nothing_else(build, make_sample):
    page = build(make_sample())
    policies = [
        dict(attributes) for tag, attributes in page.elements if tag == "meta" and attributes[0][0] == "http-equiv"
    ]
    style, script = (b64encode(sha256(text.encode()).digest()).decode() for text in (page.style, page.script))
    assert [one["content"] for one in policies] == [
        f"default-src 'none'; style-src 'sha256-{style}'; script-src 'sha256-{script}'; "
        "require-trusted-types-for 'script'; trusted-types 'none'; base-uri 'none'; form-action 'none'"
    ]


def test_the_script_writes_text_alone(build, make_sample):
    script = build(make_sample()).script
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(", "fetch("):
        assert word not in script


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


def test_what_stands_around_the_tasks_in_a_runs_prompts_is_there_once(build, make_sample):
    manifest = {"first_prompt": {"text": "<|user|>def f(x):</script>\x00", "task_at": [8, 17]}}
    page = build(make_sample("T/0"), make_sample("T/1"), manifest=manifest)
    assert page.index["runs"][0]["prompt"] == ["<|user|>", "</script>\\x00"]
    assert build(make_sample("T/0")).index["runs"][0]["prompt"] is None


def test_the_index_has_of_each_sample_what_it_counts_as(build, make_sample):
    page = build(
        make_sample(),
        make_sample("T/1", plus=Outcome.WRONG),
        make_sample("T/2", base=Outcome.TIMEOUT, plus=Outcome.WRONG),
        make_sample("T/3", base=Outcome.PASS, plus=Outcome.HOST_FAULT),
    )
    (run,) = page.index["runs"]
    named = [page.index["outcomes"][ord(letter) - ord("a")] for letter in run["outcomes"]["evalplus"]["plus"]]
    assert named == ["pass", "wrong", "timeout", "host_fault"]
    assert page.index["groups"][0]["tasks"] == ["T/0", "T/1", "T/2", "T/3"]


def test_a_sample_without_a_verdict_is_told_as_not_judged(tmp_path, make_sample, make_summary):
    path = tmp_path / "report.html"
    judged, open_one = make_sample(), replace(make_sample("T/1"), verdict=None)
    write_html(path, [RunPage(make_summary(judged), [judged, open_one], {})])
    page = Page(path.read_text())
    assert page.index["runs"][0]["outcomes"]["evalplus"]["plus"] == "a-"
    assert page.samples["1/0/T/1"]["verdict"] == "not judged yet"


def test_scores_outcomes_warnings_and_manifest_are_there(build, make_sample):
    samples = [make_sample(f"T/{task}", plus=Outcome.PASS if task else Outcome.WRONG) for task in range(4)]
    page = build(*samples, manifest={"engine": "llama.cpp b1"}, warnings=("a degraded sandbox",), tasks_in_dataset=164)
    assert "pass@1 evalplus 100.0 [51.0, 100.0] 75.0 [30.1, 95.4]" in page.words
    assert "Partial: 4 of 164 tasks, 4 samples." in page.words
    assert "wrong 0 1" in page.words
    assert "Warning: a degraded sandbox" in page.words
    assert '"engine": "llama.cpp b1"' in page.words


def test_an_estimate_that_does_not_exist_has_no_bar(build, make_sample):
    page = build(*(make_sample(index=index) for index in range(10)), make_sample("T/1"))
    assert page.text.count("n/a") >= 2
    told = build(*(make_sample(f"T/{task}", index) for task in range(2) for index in range(10)))
    ranges = [sum(("class", "range") in attributes for _, attributes in one.elements) for one in (page, told)]
    assert ranges[1] - ranges[0] == 2


def test_a_whole_run_of_long_hostile_programs_stays_under_two_megabytes(tmp_path, make_sample, make_summary):
    samples = [hostile(make_sample(f"T/{task}", plus=Outcome.WRONG), "<" * 20_000) for task in range(164)]
    path = tmp_path / "report.html"
    write_html(path, [RunPage(make_summary(*samples), samples, {})])
    assert path.stat().st_size < 2_000_000


def noise(seed, length):
    """Text that packs badly."""
    return "".join(sha256(f"{seed} {turn}".encode()).hexdigest() for turn in range(length // 64))


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


def test_two_runs_stand_on_one_page_under_names_of_their_own(build_several, make_sample):
    page = build_several(first=[make_sample()], second=[make_sample()])
    ids = [value for _, attributes in page.elements for name, value in attributes if name == "id"]
    assert len(ids) == len(set(ids))
    assert {"run-1", "run-2"} <= set(ids)
    assert "second on humaneval_plus" in page.text
    assert set(page.samples) == {"1/0/T/0", "2/0/T/0"}


def test_runs_of_one_model_are_told_apart(tmp_path, make_sample, make_summary):
    path = tmp_path / "report.html"
    sample = make_sample()
    changes = [{"sampling": "greedy"}, {"sampling": "n=10"}, {"sampling": "n=10", "run_dir": "/runs/other"}]
    write_html(path, [RunPage(make_summary(sample, **one), [sample], {}) for one in changes])
    labels = [run["label"] for run in Page(path.read_text()).index["runs"]]
    assert labels == ["a-model, greedy", "a-model, n=10, greedy-1a2b3c4d", "a-model, n=10, other"]


def test_runs_with_the_same_folder_name_are_numbered_within_their_benchmark(tmp_path, make_sample, make_summary):
    path = tmp_path / "report.html"
    sample = make_sample()
    changes = [{"run_dir": "/a/run"}, {"run_dir": "/b/run"}, {"run_dir": "/c/run", "dataset": "mbpp_plus"}]
    write_html(path, [RunPage(make_summary(sample, **one), [sample], {}) for one in changes])
    labels = [run["label"] for run in Page(path.read_text()).index["runs"]]
    assert labels == ["a-model, greedy, run", "a-model, greedy, run (2)", "a-model"]


def test_a_run_without_the_plus_tests_is_not_the_best_and_leaves_the_others_their_comparison(
    tmp_path, make_sample, make_summary
):
    path = tmp_path / "report.html"
    samples = [[make_sample(f"T/{task}", plus=plus) for task in range(8)] for plus in (Outcome.PASS, Outcome.WRONG)]
    runs = [make_summary(*samples[0], model="base only", suites=("base",))]
    runs += [make_summary(*samples[1], model="first"), make_summary(*samples[1], model="second")]
    shown = [RunPage(summary, one, {}) for summary, one in zip(runs, [samples[0], samples[1], samples[1]], strict=True)]
    write_html(path, shown)
    page = Page(path.read_text())
    assert page.index["groups"][0]["runs"] == [2, 3, 1]
    assert "second base + plus +0.0" in page.words


def test_the_leaderboard_has_the_best_run_first_and_partial_runs_last(build_several, make_sample):
    right = [make_sample(f"T/{task}") for task in range(4)]
    wrong = [make_sample(f"T/{task}", plus=Outcome.WRONG) for task in range(4)]
    page = build_several(worse=wrong, partial=right[:1], best=right)
    assert page.index["groups"][0]["runs"] == [3, 1, 2]
    assert "drop, pass@1 tasks" in page.words
    assert "Not compared, since fewer tasks were judged: partial (1 task)." in page.words


def test_each_row_of_the_leaderboard_says_how_its_run_was_made(tmp_path, make_sample, make_summary):
    path = tmp_path / "report.html"
    sample = make_sample()
    changes = [{"model": "a", "sampling": "greedy"}, {"model": "b", "sampling": "n=10", "sanitizer": "default"}]
    write_html(path, [RunPage(make_summary(sample, **one), [sample], {}) for one in changes])
    words = Page(path.read_text()).words
    assert "a greedy; sanitizer evalplus 100.0" in words
    assert "b n=10; sanitizer default 100.0" in words


def test_runs_are_compared_with_the_best_by_an_exact_test(build_several, make_sample):
    right = [make_sample(f"T/{task}") for task in range(8)]
    wrong = [make_sample(f"T/{task}", plus=Outcome.WRONG) for task in range(8)]
    words = build_several(best=right, worse=wrong).words
    assert (
        "Against best: pass@1 in points with 95% intervals, on the 8 tasks that all have. exact McNemar, interval"
        in words
    )
    assert "Scores in %, with 95% intervals (Wilson); evalplus judge" in words
    assert "worse base + plus -100.0" in words
    assert "0.008 0 8 worse" in words


def test_where_one_reference_was_chosen_of_several_it_is_said_what_p_is_not_adjusted_for(build_several, make_sample):
    runs = {name: [make_sample(f"T/{task}") for task in range(8)] for name in ("first", "second", "third")}
    told = "p adjusted for the comparisons with this run on its suite (Holm); not for the choice of this run"
    assert told in build_several(**runs).words
    del runs["third"]
    assert "not for the choice of this run" not in build_several(**runs).words


def test_a_warning_of_many_runs_is_told_once(tmp_path, make_sample, make_summary):
    path = tmp_path / "report.html"
    told = [("a", "loud"), ("b", "loud"), ("c", "loud"), ("d", "loud")]
    for runs, who in ((told, "all runs"), ([*told, ("e", "else")], "4 of 5 runs"), (told[:2], "a, b")):
        sample = make_sample()
        pages = [RunPage(make_summary(sample, model=name, warnings=(one,)), [sample], {}) for name, one in runs]
        write_html(path, pages)
        assert f"Warning ({who}): loud" in Page(path.read_text()).words


def test_a_run_without_any_verdict_has_a_page(tmp_path, make_sample, make_summary):
    path = tmp_path / "report.html"
    summary = make_summary(tasks_in_dataset=164)
    write_html(path, [RunPage(summary, [], {}), RunPage(replace(summary, model="b"), [], {})])
    words = Page(path.read_text()).words
    assert "Partial: 0 of 164 tasks, 0 samples." in words
    assert "The runs have no judged task in common" in words


def test_a_benchmark_without_plus_tests_has_no_word_of_them(build, make_sample):
    page = build(*(make_sample(f"T/{task}") for task in range(3)), dataset="humaneval", suites=("base",))
    assert list(page.index["runs"][0]["outcomes"]["evalplus"]) == ["base"]
    assert "base + plus" not in page.words


def test_a_run_without_plus_tests_among_others_has_no_outcomes_of_plus(tmp_path, make_sample, make_summary):
    path = tmp_path / "report.html"
    sample = make_sample(plus=Outcome.WRONG)
    changes = [{"model": "whole"}, {"model": "without", "suites": ("base",)}]
    write_html(path, [RunPage(make_summary(sample, **one), [sample], {}) for one in changes])
    assert "(evalplus judge) Run wrong whole 1 without n/a" in Page(path.read_text()).words


def test_runs_of_two_benchmarks_have_a_part_each(tmp_path, make_sample, make_summary):
    path = tmp_path / "report.html"
    sample = make_sample()
    datasets = ("humaneval_plus", "mbpp_plus")
    write_html(path, [RunPage(make_summary(sample, dataset=dataset), [sample], {}) for dataset in datasets])
    page = Page(path.read_text())
    assert [group["title"] for group in page.index["groups"]] == ["HumanEval+ v0.1.10", "MBPP+ v0.1.10"]
    assert "problems of MBPP (Austin et al. 2021" in page.words


def test_a_run_with_several_samples_has_a_curve_and_one_with_single_samples_has_none(build, make_sample):
    assert build(make_sample()).index["runs"][0]["curve"] == []
    ten = [make_sample(index=index, plus=Outcome.WRONG if index else Outcome.PASS) for index in range(10)]
    assert build(*ten).index["runs"][0]["curve"] == [
        [1, 1.0, 0.1],
        [2, 1.0, 0.2],
        [3, 1.0, 0.3],
        [5, 1.0, 0.5],
        [7, 1.0, 0.7],
        [10, 1.0, 1.0],
    ]


def test_what_was_published_of_the_model_itself_is_held_against_its_score(build, make_sample):
    words = build(make_sample(), published=Published(source="a paper", plus=10)).words
    assert "base + plus: published 10.0 lies" in words


def test_the_card_shows_a_task_with_an_accepted_program_and_a_test_that_another_failed(build_several, make_sample):
    page = build_several(
        one=[make_sample("T/0"), make_sample("T/1", solution="def f(x): return 3\n")],
        two=[make_sample("T/0"), make_sample("T/1", plus=Outcome.WRONG)],
    )
    assert "A worked example: T/1" in page.words
    assert "An accepted program, of one def f(x): return 3" in page.words
    assert "A plus test, which another program failed f((3, {4})) # expected: 3" in page.words


def test_results_that_others_judged_are_not_called_verified(build, make_sample):
    own = build(make_sample(), manifest={"identity": "1a2b"}).words
    others = build(make_sample()).words
    assert "Verified results" in own
    assert "ran in a sandbox (namespaces)" in own
    assert "Verified results" not in others
    assert "ran in a sandbox" not in others
    assert "Judged elsewhere, and shown as their files tell it: a-model." in others


def test_the_files_behind_a_result_are_named_with_their_digests(build, make_sample):
    digests = [FileDigest("verdicts.jsonl", 12_345, "ab" * 32)]
    assert f"verdicts.jsonl 12,345 {'ab' * 32}" in build(make_sample(), digests=digests).words


def test_every_sample_that_hangs_on_the_sanitizer_is_named(build, make_sample):
    moved = tuple((f"T/{task}", 0) for task in range(40))
    compared = SanitizersCompared(samples=40, only_default=moved, only_evalplus=(), only_cleaned=(), only_whole=())
    names = ", ".join(f"T/{task} #0" for task in range(40))
    words = build(make_sample(), sanitizers=compared).words
    assert f"Sanitizers: passing in one way only, of 40 samples: 40 with default ({names})." in words
