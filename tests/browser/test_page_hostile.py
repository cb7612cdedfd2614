"""Texts of strangers on the page: they are shown, and do nothing."""

from dataclasses import replace

import pytest
import synthetic_runs

pytest.importorskip("selenium", reason="selenium is not installed: pip install '.[browser]'")

from seen import sample_shown
from selenium.common.exceptions import JavascriptException

from evalplus_run.records import Outcome
from evalplus_run.report.html import write_html
from evalplus_run.report.text import visible

HIT = "document.documentElement.dataset.hit=1"
ATTACKS = [
    f"<script>{HIT}</script>",
    f"</script><script>{HIT}</script>",
    f"</textarea></title></style></pre><img src=x onerror={HIT}>",
    f"javascript:{HIT}",
    f"<a href='javascript:{HIT}' id=index>x</a>",
    f"]]><svg onload={HIT}><!--<script>",
    f"\u2028{HIT}\u2029\ud800\x00\u202e",
    f"'\"`;{HIT};//\\",
    "__proto__",
    "x" * 200_000,
    f'"""{"(" * 5_000}',
]


def run_of(*programs):
    """A run whose samples, all failing, have these texts in every place that a model or a test fills."""
    tasks = synthetic_runs.make_tasks(len(programs))
    run = synthetic_runs.make_run("hostile", tasks, skill=-1)
    samples = [hostile(sample, text) for sample, text in zip(run.samples, programs, strict=True)]
    summary = replace(run.summary, model=programs[0], warnings=programs, sampling=programs[1])
    return replace(run, summary=summary, samples=samples, manifest={"x": programs, "dataset": {"source": programs[2]}})


def hostile(sample, text):
    judged = sample.verdict.evalplus
    bad = replace(judged.base, outcome=Outcome.WRONG, expected=text, got=text, error=text, test=0)
    return replace(
        sample,
        task=replace(sample.task, prompt=text, base_inputs=((text,),)),
        program=replace(sample.program, solution=text, notes={text: text}),
        completion=replace(sample.completion, text=text, reasoning=text),
        verdict=replace(sample.verdict, evalplus=replace(judged, base=bad)),
    )


def test_hostile_texts_are_shown_as_they_are_and_do_nothing(visit, tmp_path):
    path = tmp_path / "report.html"
    tame = tmp_path / "tame.html"
    write_html(path, [run_of(*ATTACKS)])
    write_html(tame, [run_of(*(f"tame {number}" for number in range(len(ATTACKS))))])
    census = """
        const free = /^(d|x|y|cx|cy|width|height|value|aria-label|title|content)$/;
        const told = ({attributes}) => [...attributes].filter(({name}) => !free.test(name));
        const left = '#sample, pre, #rows, [id^=chunk]';
        const own = [...document.querySelectorAll('*')].filter((one) => !one.closest(left));
        return own.map((one) => [one.localName, ...told(one).map(({name, value}) => name + value)].join(' '));
    """
    assert visit(path).execute_script(census) == visit(tame).execute_script(census)
    for task, attack in enumerate(ATTACKS):
        browser = visit(path, f"#samples?sample=1%2F0%2FHumanEval%2F{task}")
        sample_shown(browser, f"HumanEval/{task} #0")
        shown = browser.execute_script("return document.querySelector('#sample pre.raw').textContent")
        assert shown[:500] == visible(attack)[:500]
        listed = browser.execute_script("return document.querySelector('.listing .python').textContent")
        assert listed[:500] == visible(attack)[:500]
        assert browser.execute_script("return document.documentElement.dataset.hit") is None
        links = browser.execute_script(
            "return [...document.querySelectorAll('[href], [src]')].map((one) => one.getAttribute('href'))"
        )
        assert all(link.startswith("#") for link in links)
        names = browser.execute_script(
            "return [...document.querySelectorAll('*')].flatMap((one) => one.getAttributeNames())"
        )
        assert not [name for name in names if name.startswith("on") or name == "style"]


def test_the_policy_stops_a_script_that_got_in(visit, one):
    browser = visit(one)
    added = "const script = document.createElement('script'); script.text = arguments[0]; document.body.append(script);"
    with pytest.raises(JavascriptException, match="TrustedScript"):
        browser.execute_script(added, HIT)
    with pytest.raises(JavascriptException, match="TrustedHTML"):
        browser.execute_script("document.body.innerHTML += arguments[0]", f"<img src=x onerror={HIT}>")
    assert browser.execute_script("return document.documentElement.dataset.hit") is None
    assert browser.get_log("browser")
