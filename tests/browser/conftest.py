import json

import chromium
import pytest
import synthetic_runs

from evalplus_run.report.html import write_html


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    """A real Chromium; where there is none, the tests skip and say so."""
    if not chromium.CHROMIUM or not chromium.DRIVER:
        pytest.skip("no Chromium with its driver here: apt-get install chromium chromium-driver")
    pytest.importorskip("selenium", reason="selenium is not installed: pip install '.[browser]'")
    started = chromium.start(tmp_path_factory.mktemp("profile"))
    yield started
    started.quit()


@pytest.fixture
def visit(browser):
    """Opens a page from the disk, then at the end: nothing in the console, nothing asked of any network."""
    pages = set()

    def go(path, fragment="", width=1280, height=900, scheme="light"):
        browser.get("about:blank")
        chromium.size(browser, width, height)
        chromium.scheme(browser, scheme)
        browser.get(path.as_uri() + fragment)
        pages.add(path.as_uri())
        return browser

    browser.get_log("browser"), browser.get_log("performance")
    yield go
    assert [entry["message"] for entry in browser.get_log("browser")] == []
    events = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    requested = {e["params"]["documentURL"] for e in events if e["method"] == "Network.requestWillBeSent"}
    assert requested - {"about:blank"} == pages


@pytest.fixture(scope="session")
def one(tmp_path_factory):
    """The page of one run."""
    path = tmp_path_factory.mktemp("one") / "report.html"
    write_html(path, [synthetic_runs.make_run("alone", synthetic_runs.make_tasks(40))])
    return path


@pytest.fixture(scope="session")
def several(tmp_path_factory):
    """The page of two runs with one sample a task and one with ten."""
    path = tmp_path_factory.mktemp("several") / "report.html"
    tasks = synthetic_runs.make_tasks(40)
    runs = [("first", 1, 0.5), ("second", 1, 0.4), ("third", 10, 0.6)]
    write_html(path, [synthetic_runs.make_run(name, tasks, n, skill) for name, n, skill in runs])
    return path
