"""One page in a real browser: its list, its samples, its links, its keys, how it looks."""

import os
from dataclasses import replace
from pathlib import Path

import pytest
import synthetic_runs

pytest.importorskip("selenium", reason="selenium is not installed: pip install '.[browser]'")

from seen import choose, press, sample_shown, sort, texts, wait
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from evalplus_run.report.html import write_html


def test_the_page_opens_from_disk_with_its_list_its_map_and_its_tables(visit, several):
    browser = visit(several)
    assert texts(browser, "#found") == ["480 samples"]
    assert len(texts(browser, ".map .band")) >= 1
    assert len(texts(browser, ".curves svg .line")) == 2
    assert "first" in texts(browser, "table.sortable tbody th a")


def test_a_search_finds_a_task_at_once_and_a_program_by_its_text(visit, one):
    browser = visit(one)
    query = browser.find_element(By.ID, "query")
    query.send_keys("humaneval/17")
    assert texts(browser, "#rows .task") == ["HumanEval/17"]
    query.clear()
    query.send_keys("def task_23(")
    wait(browser, lambda: texts(browser, "#rows .task") == ["HumanEval/23"])


def test_filters_narrow_the_list_and_stand_in_the_address(visit, several):
    browser = visit(several)
    choose(browser, "run", "2")
    assert texts(browser, "#found") == ["40 of 480 samples"]
    choose(browser, "outcome", "bad")
    failing = texts(browser, "#rows .verdict")
    assert failing
    assert "pass" not in failing
    choose(browser, "task", "HumanEval/3")
    assert "run=2" in browser.current_url
    assert "outcome=bad" in browser.current_url
    visit(several, "#" + browser.current_url.partition("#")[2])
    assert texts(browser, "#found")[0].endswith(" of 480 samples")
    assert browser.find_element(By.ID, "outcome").get_attribute("value") == "bad"


def test_the_slowest_sample_comes_first_when_that_is_asked_for(visit, one):
    browser = visit(one)
    choose(browser, "order", "time")
    slowest = browser.execute_script("return samples.toSorted((a, b) => b.milliseconds - a.milliseconds)[0].task")
    assert texts(browser, "#rows .task")[0] == slowest


def test_tables_sort_by_their_columns_in_both_directions(visit, several):
    browser = visit(several)
    scores = "section.benchmark > .wide:first-of-type table.sortable"
    head = browser.find_elements(By.CSS_SELECTOR, f"{scores} thead .sort")[2]

    def values():
        return [float(text.split()[0]) for text in texts(browser, f"{scores} tbody td:nth-of-type(2)")]

    head.click()
    assert values() == sorted(values(), reverse=True)
    head.click()
    assert values() == sorted(values())
    assert texts(browser, f"{scores} [aria-sort=ascending]")


def test_a_sample_shows_its_failing_test_its_program_and_what_was_asked(visit, one):
    browser = visit(one)
    choose(browser, "outcome", "=exception")
    browser.find_element(By.CSS_SELECTOR, "#rows a").click()
    wait(browser, lambda: texts(browser, "#sample .listing"))
    shown = browser.find_element(By.ID, "sample").text
    for part in ("base: exception", "call", "expected", "got", "ValueError: no such value", "Program"):
        assert part in shown
    assert "▶3" in shown
    assert browser.find_elements(By.CSS_SELECTOR, ".listing .keyword")
    raw = browser.find_element(By.CSS_SELECTOR, "#sample pre.raw")
    assert not raw.is_displayed()
    browser.find_element(By.XPATH, "//summary[text()='Raw answer']").click()
    assert "Here is a function" in raw.text


def test_a_sample_without_a_program_has_no_part_for_it(visit, tmp_path):
    run = synthetic_runs.make_run("silent", synthetic_runs.make_tasks(2))
    silent, other = run.samples
    samples = [replace(silent, program=replace(silent.program, solution="")), other]
    write_html(tmp_path / "report.html", [replace(run, samples=samples)])
    browser = visit(tmp_path / "report.html")
    for row, has_program in ((0, False), (1, True)):
        browser.find_elements(By.CSS_SELECTOR, "#rows a")[row].click()
        sample_shown(browser, f"HumanEval/{row} #0")
        assert ("Program" in texts(browser, "#sample h4")) == has_program


def test_a_samples_prompt_is_what_was_sent_and_of_a_run_that_does_not_tell_the_task_is_shown(visit, one, tmp_path):
    task = synthetic_runs.make_tasks(6)[5]
    told = "return [...document.querySelectorAll('#sample details')].map((one) => one.textContent)"
    browser = visit(one, "#samples?sample=1%2F0%2FHumanEval%2F5")
    sample_shown(browser, "HumanEval/5 #0")
    before, after = "<|im_start|>user\nSolve the programmer's problem:\n", "\n<|im_end|>\n<|im_start|>assistant\n"
    assert f"Prompt as sent{before}{task.asked}{after}" in browser.execute_script(told)
    run = synthetic_runs.make_run("given", synthetic_runs.make_tasks(6))
    write_html(tmp_path / "given.html", [replace(run, manifest={})])
    browser = visit(tmp_path / "given.html", "#samples?sample=1%2F0%2FHumanEval%2F5")
    sample_shown(browser, "HumanEval/5 #0")
    assert f"Task{task.asked}" in browser.execute_script(told)


def test_a_link_to_a_sample_opens_it(visit, several):
    browser = visit(several, "#samples?sample=2%2F0%2FHumanEval%2F7")
    sample_shown(browser, "HumanEval/7 #0")
    assert texts(browser, "#rows [aria-current] .of") == ["second"]


def test_a_link_typed_into_an_open_page_is_followed_and_the_way_back_leads_back(visit, several):
    browser = visit(several, "#samples?sample=2%2F0%2FHumanEval%2F7")
    sample_shown(browser, "HumanEval/7 #0")
    browser.execute_script("location.hash = 'samples?sample=1/0/HumanEval/8'")
    sample_shown(browser, "HumanEval/8 #0")
    browser.back()
    sample_shown(browser, "HumanEval/7 #0")


@pytest.mark.parametrize(
    "fragment",
    ["#samples?sample=9%2F9%2Fnone", "#samples?sample=__proto__&other=constructor", "#samples?sample=%3Cscript%3E"],
)
def test_a_link_to_a_sample_that_is_not_there_says_so(visit, several, fragment):
    browser = visit(several, fragment)
    wait(browser, lambda: "There is no such sample on this page" in browser.find_element(By.ID, "sample").text)


@pytest.mark.parametrize(
    "fragment",
    ["#nowhere", "#samples?order=__proto__&outcome=constructor&run=x&task=none", "#%", "#?", "#samples?q=%E0%A4%A"],
)
def test_an_address_that_makes_no_sense_does_no_harm(visit, several, fragment):
    browser = visit(several, fragment)
    wait(browser, lambda: texts(browser, "#found")[0].endswith("480 samples"))
    press(browser, "j")
    wait(browser, lambda: texts(browser, "#found")[0].endswith("480 samples"))


def test_an_outcome_that_the_page_has_none_of_is_named_in_its_choice(visit, one):
    browser = visit(one, "#samples?outcome=%3Dcrash")
    wait(browser, lambda: texts(browser, "#found")[0] == "0 of 40 samples")
    assert Select(browser.find_element(By.ID, "outcome")).first_selected_option.text == "crash (not on this page)"


def test_keys_go_through_the_list_search_and_tell(visit, one):
    browser = visit(one)
    press(browser, "j")
    sample_shown(browser, "HumanEval/0 #0")
    press(browser, "j")
    sample_shown(browser, "HumanEval/1 #0")
    press(browser, Keys.ARROW_DOWN)
    sample_shown(browser, "HumanEval/2 #0")
    press(browser, "k")
    sample_shown(browser, "HumanEval/1 #0")
    press(browser, Keys.ESCAPE)
    wait(browser, lambda: not browser.find_element(By.ID, "sample").is_displayed())
    press(browser, "?")
    assert browser.find_element(By.ID, "help").is_displayed()
    press(browser, Keys.ESCAPE)
    press(browser, "/")
    press(browser, "jk?")
    assert browser.find_element(By.ID, "query").get_attribute("value") == "jk?"
    assert texts(browser, "#found") == ["searching the programs …"] or "of 40" in texts(browser, "#found")[0]


def test_a_long_name_stays_in_its_place_beside_or_above_the_map(visit, tmp_path):
    tasks = synthetic_runs.make_tasks(40)
    runs = [synthetic_runs.make_run(f"organisation/{'WIDE' * 20}-{place}", tasks, 10) for place in range(2)]
    write_html(tmp_path / "report.html", runs)
    for width in (1280, 390):
        browser = visit(tmp_path / "report.html", width=width)
        names, cells = browser.execute_script(
            "const ends = ({ x, y, width, height }) => [x, y, x + width, y + height];"
            "const all = (kind) => [...document.querySelectorAll(`.band > ${kind}`)];"
            "const found = (kind) => all(kind).map((one) => ends(one.getBBox()));"
            "return [found('text'), found('path')]"
        )
        assert len(names) >= 2
        for left, top, right, bottom in names:
            assert right <= browser.execute_script("return document.querySelector('.band').width.baseVal.value")
            assert not any(
                right > x and left < right_of and bottom > y + 3 and top < bottom_of - 3
                for x, y, right_of, bottom_of in cells
            )
        label, edge = browser.execute_script(
            "const text = document.querySelector('.chart .label').getBBox();"
            "return [text.x + text.width, document.querySelector('.chart').viewBox.baseVal.width]"
        )
        assert label <= edge


def test_a_table_is_sorted_and_the_list_of_samples_stays_as_it_was(visit, several):
    browser = visit(several)
    choose(browser, "run", "2")
    choose(browser, "outcome", "bad")
    found = texts(browser, "#found")
    sort(browser, "scores", 1)
    assert "scores=1" in browser.current_url
    assert texts(browser, "#found") == found
    choose(browser, "order", "time")
    assert texts(browser, "#found") == found
    assert "outcome=bad" in browser.current_url


def test_a_cell_of_the_map_tells_its_sample_and_opens_it(visit, one):
    browser = visit(one)
    choose_map = "const map = document.querySelector('.map .band'), box = map.getBoundingClientRect();"
    event = "{clientX: box.left + 20, clientY: box.top + 5, bubbles: true}"
    browser.execute_script(f"{choose_map} map.dispatchEvent(new MouseEvent('mousemove', {event}))")
    assert "HumanEval/1:" in texts(browser, ".map .hint")[0]
    browser.execute_script(f"{choose_map} map.dispatchEvent(new MouseEvent('click', {event}))")
    sample_shown(browser, "HumanEval/1 #0")


def test_dark_follows_the_system_and_the_button_overrules_it(visit, one):
    browser = visit(one, scheme="dark")

    def luminance():
        rgb = browser.execute_script("return getComputedStyle(document.body).backgroundColor.match(/[\\d.]+/g)")
        return sum(map(float, rgb[:3])) / 3

    assert luminance() < 60
    browser.find_element(By.ID, "theme").click()
    assert luminance() > 200
    browser.execute_script("localStorage.clear()")


def test_the_tables_stand_without_javascript(visit, several):
    browser = visit(several)
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.get(several.as_uri())
        snapshot = browser.execute_cdp_cmd("DOMSnapshot.captureSnapshot", {"computedStyles": []})
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    text = [snapshot["strings"][at] for at in snapshot["documents"][0]["layout"]["text"] if at >= 0]
    for part in ("base + plus, pass@1", "Samples by outcome on base + plus (judge: evalplus)", "second"):
        assert part in text
    assert any("need JavaScript" in one for one in text)
    assert "Search" not in text


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("fragment", ["", "#samples?sample=1%2F0%2FHumanEval%2F5&other=2%2F0%2FHumanEval%2F5"])
def test_nothing_is_wider_than_the_screen(visit, several, width, fragment):
    browser = visit(several, fragment, width=width, height=844)
    if fragment:
        wait(browser, lambda: texts(browser, ".difference"))
    assert browser.execute_script("return document.documentElement.scrollWidth") == width


def test_a_table_that_scrolls_does_not_widen_the_page(visit, tmp_path):
    tasks = synthetic_runs.make_tasks(1)
    path = tmp_path / "report.html"
    write_html(path, [synthetic_runs.make_run(name, tasks, 10, 0.7) for name in ("m", "n")])
    browser = visit(path, width=390, height=844)
    assert browser.execute_script("return document.documentElement.scrollWidth") == 390


def test_on_paper_there_are_no_controls(visit, one):
    browser = visit(one)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert not browser.find_element(By.CSS_SELECTOR, ".masthead").is_displayed()
    assert not browser.find_element(By.ID, "query").is_displayed()
    assert browser.find_element(By.CSS_SELECTOR, "h1").is_displayed()
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("fragment", ["", "#samples?sample=1%2F0%2FHumanEval%2F5&other=2%2F0%2FHumanEval%2F5"])
def test_an_accessibility_checker_finds_no_serious_fault(visit, several, scheme, width, fragment):
    axe = os.environ.get("EVALPLUS_RUN_AXE")
    if not axe:
        pytest.skip("EVALPLUS_RUN_AXE names no axe.min.js (npm pack axe-core)")
    browser = visit(several)
    browser.execute_cdp_cmd("Page.setBypassCSP", {"enabled": True})
    try:
        visit(several, fragment, width=width, scheme=scheme)
        if fragment:
            wait(browser, lambda: texts(browser, ".difference"))
        browser.execute_script(Path(axe).read_text())
        found = browser.execute_async_script(
            "axe.run(document, {resultTypes: ['violations']}).then(arguments[arguments.length - 1])"
        )
    finally:
        browser.execute_cdp_cmd("Page.setBypassCSP", {"enabled": False})
    faults = {fault["id"]: [node["target"] for node in fault["nodes"]][:3] for fault in found["violations"]}
    assert faults == {}
