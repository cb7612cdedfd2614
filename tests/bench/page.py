"""The page of many runs: how long it takes to build, how large it is, how soon it is open, what a sample costs.

python tests/bench/page.py [--runs 20] [--tasks 542] [--n 1]
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "browser"))

import chromium
import synthetic_runs

from evalplus_run.report.html import write_html

_OPENED = "const [one] = performance.getEntriesByType('navigation'); return [one.domInteractive, one.loadEventEnd];"
_BUSY = ("TaskDuration", "ScriptDuration", "LayoutDuration", "RecalcStyleDuration")
_READ = """
const done = arguments[arguments.length - 1], begun = performance.now();
location.hash = document.querySelectorAll('#rows a')[100].getAttribute('href');
const look = () => document.querySelector('#sample .listing') ? done(performance.now() - begun) : setTimeout(look, 1);
look();
"""
_SEARCHED = """
const done = arguments[arguments.length - 1], query = document.getElementById('query'), begun = performance.now();
query.value = 'return best_index';
query.dispatchEvent(new Event('input'));
const look = () => / of /.test(document.getElementById('found').textContent)
  ? done(performance.now() - begun) : setTimeout(look, 5);
look();
"""


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--tasks", type=int, default=542)
    parser.add_argument("--n", type=int, default=1)
    wanted = parser.parse_args()
    tasks = synthetic_runs.make_tasks(wanted.tasks)
    runs = [
        synthetic_runs.make_run(f"model-{place}", tasks, wanted.n, 0.2 + 0.6 * place / wanted.runs)
        for place in range(wanted.runs)
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.html"
        begun, cpu = time.monotonic(), time.process_time()
        write_html(path, runs)
        print(f"built in {time.monotonic() - begun:.1f} s ({time.process_time() - cpu:.1f} s of CPU)")
        print(f"{path.stat().st_size / 1e6:.2f} MB")
        if not chromium.CHROMIUM or not chromium.DRIVER:
            print("no Chromium here: how it opens was not measured")
            return
        _open(path, Path(folder) / "profile")


def _open(path: Path, profile: Path) -> None:
    browser = chromium.start(profile)
    try:
        browser.set_script_timeout(60)
        begun = _cpu(profile)
        browser.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
        browser.get(path.as_uri())
        interactive, loaded = browser.execute_script(_OPENED)
        metrics = {
            one["name"]: one["value"] for one in browser.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
        }
        busy = ", ".join(f"{name[:-8].lower()} {1000 * metrics[name]:.0f}" for name in _BUSY)
        print(f"parsed after {interactive:.0f} ms, open after {loaded:.0f} ms")
        print(f"CPU in ms, all of the browser: {1000 * (_cpu(profile) - begun):.0f}; of the page's thread: {busy}")
        print(f"a sample is there after {browser.execute_async_script(_READ):.0f} ms")
        print(f"a search in all programs takes {browser.execute_async_script(_SEARCHED):.0f} ms")
    finally:
        browser.quit()


def _cpu(profile: Path) -> float:
    """Seconds of CPU that all processes of the browser with this profile have taken."""
    ticks = 0
    for status in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            command = status.with_name("cmdline").read_bytes()
            if b"chromium" in command and (str(profile).encode() in command or b"--type=" in command):
                fields = status.read_text().rpartition(")")[2].split()
                ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
