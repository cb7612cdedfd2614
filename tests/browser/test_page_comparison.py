"""Runs beside each other on the page: which, by what k, and what a link holds of it."""

import pytest
import synthetic_runs

pytest.importorskip("selenium", reason="selenium is not installed: pip install '.[browser]'")

from seen import sample_shown, sort, texts, wait
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select

from evalplus_run.metrics.score import Tally
from evalplus_run.report.comparison import Judged, compare_runs
from evalplus_run.report.html import write_html


def test_the_programs_of_two_runs_are_compared_line_by_line(visit, several):
    browser = visit(several, "#samples?sample=1%2F0%2FHumanEval%2F5")
    sample_shown(browser, "HumanEval/5 #0")
    browser.find_element(By.CSS_SELECTOR, "#sample a[aria-label='diff with second #0']").click()
    wait(browser, lambda: texts(browser, ".difference"))
    lines = browser.execute_script("return document.querySelector('.difference').textContent").splitlines()
    assert "  def task_5" in lines[0]
    first, second = (
        browser.execute_async_script(
            "const done = arguments[1]; textsOf(sampleByName.get(arguments[0])).then(({program}) => done(program))",
            f"{run}/0/HumanEval/5",
        )
        for run in (1, 2)
    )
    assert [line[2:] for line in lines if line[0] in " -"] == second.splitlines()
    assert [line[2:] for line in lines if line[0] in " +"] == first.splitlines()


def test_another_run_can_be_chosen_to_compare_with_and_the_tasks_that_differ_are_links(visit, several):
    browser = visit(several)
    select = Select(browser.find_element(By.CSS_SELECTOR, "select.against"))
    select.select_by_visible_text("second")
    shown = [part for part in browser.find_elements(By.CSS_SELECTOR, "[data-against]") if part.is_displayed()]
    assert len(shown) == 1
    assert "Against second" in shown[0].text
    assert browser.current_url.endswith("#benchmark-1?against=2")
    details = browser.find_element(By.CSS_SELECTOR, ".flips details")
    details.find_element(By.TAG_NAME, "summary").click()
    wait(browser, lambda: "Ahead on" in details.text)
    details.find_element(By.TAG_NAME, "a").click()
    wait(browser, lambda: texts(browser, ".difference"))


def test_a_run_that_is_not_compared_is_said_to_differ_nowhere(visit, tmp_path):
    tasks = synthetic_runs.make_tasks(20)
    runs = [synthetic_runs.make_run(name, own) for name, own in (("a", tasks), ("b", tasks), ("few", tasks[:5]))]
    write_html(tmp_path / "report.html", runs)
    browser = visit(tmp_path / "report.html")
    assert "Not compared, since fewer tasks were judged: few" in browser.find_element(By.CSS_SELECTOR, "main").text
    assert len(texts(browser, ".flips summary")) == 1


def test_a_link_to_a_comparison_opens_it(visit, several):
    browser = visit(several, "#benchmark-1?against=2")
    assert [text[:14] for text in texts(browser, "[data-against] caption") if text] == ["Against second"]


@pytest.fixture(scope="module")
def sampled(tmp_path_factory):
    """A run with one sample a task and two with ten, and the page of them."""
    tasks = synthetic_runs.make_tasks(40)
    runs = [
        synthetic_runs.make_run(*one) for one in (("once", tasks), ("ten", tasks, 10, 0.5), ("half", tasks, 10, 0.3))
    ]
    path = tmp_path_factory.mktemp("sampled") / "report.html"
    write_html(path, runs)
    return path, runs


def against(browser):
    """The comparison that is seen: its caption's first words, and its differences."""
    (caption,) = (text for text in texts(browser, "[data-against] caption"))
    return caption.partition(" in points")[0], texts(browser, "[data-against] tbody .number .value")


def test_runs_are_compared_by_any_k_that_two_of_them_have(visit, sampled):
    path, (_, ten, half) = sampled
    browser = visit(path)
    assert against(browser)[0] == "Against ten: pass@1"
    by_k = Select(browser.find_element(By.CSS_SELECTOR, "select[data-name=k]"))
    assert [option.text for option in by_k.options] == ["pass@1", "pass@10"]
    by_k.select_by_visible_text("pass@10")
    runs = Select(browser.find_element(By.CSS_SELECTOR, "select.against"))
    assert [option.text for option in runs.options] == ["ten (the best)", "half"]
    tallies = [Tally.of((sample.verdict for sample in run.samples), "evalplus") for run in (ten, half)]
    found = compare_runs([Judged(run.summary, tally) for run, tally in zip((ten, half), tallies, strict=True)], 10)
    values = [f"{100 * pair.result.difference.value:+.1f}" for pair in found.pairs]
    assert against(browser) == ("Against ten: pass@10", values)
    assert texts(browser, ".flips summary") == ["Where half differs"]
    browser.find_element(By.CSS_SELECTOR, ".flips summary").click()
    plus = found.pairs[1]
    wait(browser, lambda: texts(browser, ".flip"))
    assert texts(browser, ".flip strong") == [f"Ahead on {len(plus.run_ahead)}", f"Behind on {len(plus.first_ahead)}"]
    assert {*texts(browser, ".flip:last-child a")} == {*plus.first_ahead}


def test_a_run_without_samples_enough_is_no_choice_and_the_one_chosen_stays_where_it_can(visit, sampled):
    browser = visit(sampled[0], "#benchmark-1?against=1")
    assert against(browser)[0] == "Against once: pass@1"
    by_k = Select(browser.find_element(By.CSS_SELECTOR, "select[data-name=k]"))
    by_k.select_by_visible_text("pass@10")
    assert against(browser)[0] == "Against ten: pass@10"
    assert browser.current_url.endswith("#benchmark-1?k=10")
    Select(browser.find_element(By.CSS_SELECTOR, "select.against")).select_by_visible_text("half")
    by_k.select_by_visible_text("pass@1")
    assert against(browser)[0] == "Against half: pass@1"


def test_a_link_holds_k_the_order_of_the_tables_and_that_of_the_map(visit, sampled):
    path, _ = sampled
    browser = visit(path)
    Select(browser.find_element(By.CSS_SELECTOR, "select[data-name=k]")).select_by_value("10")
    Select(browser.find_element(By.CSS_SELECTOR, "select.against")).select_by_value("3")
    Select(browser.find_element(By.CSS_SELECTOR, "select[data-name=map]")).select_by_value("order")
    sort(browser, "scores", 2)
    sort(browser, "scores", 2)
    sort(browser, "costs", 1)
    fragment = "#benchmark-1?k=10&against=3&map=order&scores=2&costs=1"
    assert browser.current_url == path.as_uri() + fragment

    def told():
        tables = [texts(browser, f"table[data-name={name}] tbody th") for name in ("scores", "costs")]
        heads = texts(browser, "[aria-sort=ascending]")
        cells = browser.execute_script("return document.querySelector('.map .band .cell-pass').getAttribute('d')")
        return against(browser), tables, heads, cells

    before = told()
    assert before[1][1] == ["half", "once", "ten"]
    assert len(before[2]) == 2
    visit(path)
    assert told() != before
    visit(path, fragment)
    assert told() == before
    assert browser.current_url == path.as_uri() + fragment


@pytest.mark.parametrize("query", ["k=7&against=9&map=x&scores=99", "scores=-0&costs=1.5&k=__proto__", "scores=%"])
def test_what_a_link_asks_in_vain_leaves_all_as_it_is(visit, sampled, query):
    browser = visit(sampled[0], f"#benchmark-1?{query}")
    assert against(browser)[0] == "Against ten: pass@1"
    assert texts(browser, "[aria-sort]") == []
    assert browser.current_url.endswith("#benchmark-1")
