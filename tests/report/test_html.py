from base64 import b64encode
from dataclasses import replace
from hashlib import sha256

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from page_reader import Page, hostile

from evalplus_run.records import Outcome
from evalplus_run.report.html import write_html
from evalplus_run.report.page_data import RunPage
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


def test_each_row_of_the_leaderboard_says_how_its_run_was_made(tmp_path, make_sample, make_summary):
    path = tmp_path / "report.html"
    sample = make_sample()
    changes = [{"model": "a", "sampling": "greedy"}, {"model": "b", "sampling": "n=10", "sanitizer": "default"}]
    write_html(path, [RunPage(make_summary(sample, **one), [sample], {}) for one in changes])
    words = Page(path.read_text()).words
    assert "a greedy; sanitizer evalplus 100.0" in words
    assert "b n=10; sanitizer default 100.0" in words


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
    assert "(judge: evalplus) Run wrong whole 1 without n/a" in Page(path.read_text()).words


def test_runs_of_two_benchmarks_have_a_part_each(tmp_path, make_sample, make_summary):
    path = tmp_path / "report.html"
    sample = make_sample()
    datasets = ("humaneval_plus", "mbpp_plus")
    write_html(path, [RunPage(make_summary(sample, dataset=dataset), [sample], {}) for dataset in datasets])
    page = Page(path.read_text())
    assert [group["title"] for group in page.index["groups"]] == ["HumanEval+ v0.1.10", "MBPP+ v0.1.10"]
    assert "problems of MBPP (Austin et al. 2021" in page.words


def test_what_was_published_of_the_model_itself_is_held_against_its_score(build, make_sample):
    words = build(make_sample(), published=Published(source="a paper", plus=10)).words
    assert "base + plus: published 10.0 is" in words


def test_marks_and_words_of_the_tables_are_explained(tmp_path, make_sample, make_summary):
    path = tmp_path / "report.html"
    sample = make_sample()
    runs = [make_summary(sample, model="a", published=Published(source="x", plus=10)), make_summary(sample, model="b")]
    write_html(path, [RunPage(one, [sample], {}) for one in runs])
    words = Page(path.read_text()).words
    assert "drop: what the plus tests take, base less base + plus; ╏ on a bar: the published score" in words


def test_what_another_tools_file_cannot_tell_of_the_strict_judge_is_not_zero(tmp_path, make_sample, make_summary):
    path = tmp_path / "report.html"
    sample = make_sample()
    runs = [make_summary(sample, model="own"), make_summary(sample, model="file", told_by="x's results", judge="x")]
    write_html(path, [RunPage(one, [sample], {}) for one in runs])
    words = Page(path.read_text()).words
    assert "own evalplus 0 n/a" in words
    assert "file evalplus n/a n/a" in words
    assert "judge: evalplus and x, strict" in words


def test_no_folder_of_the_machine_stands_beside_the_benchmarks_digest(build, make_sample):
    for source, shown in (("/home/me/x.jsonl.gz", "x.jsonl.gz"), ("https://a.org/x", "https://a.org/x")):
        words = build(make_sample(), manifest={"dataset": {"sha256": "00", "source": source}}).words
        assert f"SHA-256 00 , read from {shown}" in words.partition("Manifest:")[0]


def test_the_files_behind_a_result_are_named_with_their_digests(build, make_sample):
    digests = [FileDigest("verdicts.jsonl", 12_345, "ab" * 32)]
    assert f"verdicts.jsonl 12,345 {'ab' * 32}" in build(make_sample(), digests=digests).words


def test_every_sample_that_hangs_on_the_sanitizer_is_named(build, make_sample):
    moved = tuple((f"T/{task}", 0) for task in range(40))
    compared = SanitizersCompared(samples=40, only_default=moved, only_evalplus=(), only_cleaned=(), only_whole=())
    names = ", ".join(f"T/{task} #0" for task in range(40))
    words = build(make_sample(), sanitizers=compared).words
    assert f"Sanitizers: passing in one way only, of 40 samples: 40 with default ({names})." in words
