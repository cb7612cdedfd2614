from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evalplus_run.records import Outcome
from evalplus_run.report.html import RunPage, write_html
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
    "<style>body{display:none}</style><base href='//evil'><meta http-equiv=refresh content='0;url=//evil'>",
    "\x00\u202e\ud800<\x00script>",
]


class Page(HTMLParser):
    """The elements of a page, in order, with their attributes; its texts, a space between them; its style."""

    def __init__(self, html):
        super().__init__()
        self.elements, self.text, self.style, self._inside = [], "", "", ""
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, tuple(attrs)))
        self._inside = tag

    def handle_endtag(self, tag):
        self._inside = ""

    def handle_data(self, data):
        self.text += f" {data}"
        self.style += data if self._inside == "style" else ""


@pytest.fixture
def build(tmp_path, make_summary):
    """The page of one run with these samples, parsed."""

    def run(*samples, manifest=None, **changes):
        path = tmp_path / "report.html"
        write_html(path, [RunPage(make_summary(*samples, **changes), samples, manifest or {})])
        return Page(path.read_text(encoding="utf-8"))

    return run


def hostile(sample, text):
    """The sample with the text wherever a model, a program or a test can put text."""
    bad = replace(sample.verdict.evalplus.plus, expected=text, got=text, error=text)
    verdict = replace(sample.verdict, evalplus=replace(sample.verdict.evalplus, plus=bad))
    task = replace(sample.task, plus_inputs=((text,), (text,)))
    return replace(sample, task=task, program=replace(sample.program, solution=text), verdict=verdict)


@pytest.mark.parametrize("attack", ATTACKS)
def test_hostile_text_changes_no_element_and_no_attribute(build, make_sample, attack):
    sample = make_sample(plus=Outcome.WRONG)
    tame = build(hostile(sample, "tame"), manifest={"model": "tame"}, model="tame", warnings=("tame",))
    page = build(hostile(sample, attack), manifest={"model": attack}, model=attack, warnings=(attack,))
    assert page.elements == tame.elements
    assert page.text.count(visible(attack)) >= 5


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(text=st.text(st.characters(), min_size=1) | st.text("<>&\"'/-!= scriptonload{}%#\x00", min_size=1))
def test_no_text_at_all_changes_the_page(build, make_sample, text):
    sample = make_sample(plus=Outcome.WRONG)
    page = build(hostile(sample, text))
    assert page.elements == build(hostile(sample, "tame")).elements
    assert visible(text) in page.text


def test_the_page_has_nothing_that_loads_links_or_runs(build, make_sample):
    page = build(*(make_sample(f"T/{task}", plus=Outcome.WRONG) for task in range(3)))
    names = {name for _, attributes in page.elements for name, _ in attributes}
    assert not {tag for tag, _ in page.elements} & {"script", "link", "img", "iframe", "a", "form", "object", "base"}
    assert not {name for name in names if name in {"href", "src", "style", "srcset"} or name.startswith("on")}


def test_the_policy_allows_the_pages_own_style_and_nothing_else(build, make_sample):
    page = build(make_sample())
    policies = [
        dict(attributes) for tag, attributes in page.elements if tag == "meta" and attributes[0][0] == "http-equiv"
    ]
    digest = b64encode(sha256(page.style.encode()).digest()).decode()
    assert [one["content"] for one in policies] == [
        f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    ]
    assert "prefers-color-scheme: dark" in page.style


def test_a_sample_shows_its_failing_test_and_its_program(build, make_sample):
    text = " ".join(build(make_sample("T/7", 3, plus=Outcome.WRONG), make_sample("T/8")).text.split())
    assert "fail T/7 #3 base pass, plus wrong" in text
    assert "base + plus: wrong test 1 call f((3, {4})) expected 3 got None error TypeError: no (line 2)" in text
    assert "pass T/8 #0 base pass, plus pass" in text
    assert "def f(x): pass" in text


def test_what_says_nothing_of_the_program_is_neither_pass_nor_fail(build, make_sample):
    page = build(make_sample(base=Outcome.HOST_FAULT, plus=Outcome.HOST_FAULT), make_sample("T/1"))
    assert [
        dict(attributes)["data-outcome"] for tag, attributes in page.elements if ("class", "sample") in attributes
    ] == [
        "open",
        "pass",
    ]


def test_scores_outcomes_warnings_and_manifest_are_there(build, make_sample):
    samples = [make_sample(f"T/{task}", plus=Outcome.PASS if task else Outcome.WRONG) for task in range(4)]
    page = build(*samples, manifest={"engine": "llama.cpp b1"}, warnings=("a degraded sandbox",), tasks_in_dataset=164)
    text = " ".join(page.text.split())
    assert "pass@1 evalplus 100.0 [51.0, 100.0] 75.0 [30.1, 95.4]" in text
    assert "Partial: 4 of 164 tasks, 4 samples." in text
    assert "wrong 0 1" in text
    assert "Warning: a degraded sandbox" in text
    assert '"engine": "llama.cpp b1"' in text


def test_an_estimate_that_does_not_exist_has_no_bar(build, make_sample):
    page = build(*(make_sample(index=index) for index in range(10)), make_sample("T/1"))
    assert page.text.count("n/a") >= 2
    assert sum(tag == "svg" for tag, _ in page.elements) == 2


def test_a_whole_run_of_long_hostile_programs_stays_under_two_megabytes(tmp_path, make_sample, make_summary):
    samples = [hostile(make_sample(f"T/{task}", plus=Outcome.WRONG), "<" * 20_000) for task in range(164)]
    path = tmp_path / "report.html"
    write_html(path, [RunPage(make_summary(*samples), samples, {})])
    assert path.stat().st_size < 2_000_000
    assert "left out: the page is full" in path.read_text()


def test_two_runs_stand_on_one_page_under_names_of_their_own(tmp_path, make_sample, make_summary):
    path = tmp_path / "report.html"
    sample = make_sample()
    write_html(path, [RunPage(make_summary(sample, model=name), [sample], {}) for name in ("first", "second")])
    page = Page(path.read_text())
    ids = [value for _, attributes in page.elements for name, value in attributes if name == "id"]
    assert ids == ["run-1", "run-1-sample-1", "run-2", "run-2-sample-1"]
    assert "second on humaneval_plus" in page.text


def test_every_sample_that_hangs_on_the_sanitizer_is_named(build, make_sample):
    moved = tuple((f"T/{task}", 0) for task in range(40))
    compared = SanitizersCompared(samples=40, only_default=moved, only_evalplus=(), only_cleaned=(), only_whole=())
    text = " ".join(build(make_sample(), sanitizers=compared).text.split())
    names = ", ".join(f"T/{task} #0" for task in range(40))
    assert f"of 40 samples, 40 pass only as the default sanitizer cleans them ({names}), 0 only as" in text
