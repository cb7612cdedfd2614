"""A run by batches from the command line: killed at every step, it submits nothing twice and loses no answer."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest
from batch_apis import ANTHROPIC, BATCH_APIS, KEY, OPENAI
from stub_server import in_a_thread

PROGRAM = "```python\ndef sum_even_at_odd_index(numbers):\n    return sum(v for v in numbers[1::2] if v % 2 == 0)\n```"
HANG = None


@pytest.fixture(params=BATCH_APIS, ids=lambda api: api.kind)
def api(request):
    return request.param


@pytest.fixture
def provider(api):
    provider = api.provider()
    provider.answer = lambda body, number: provider.good(PROGRAM)
    return provider


@pytest.fixture
def server(provider):
    with in_a_thread(provider) as running:
        yield running


@pytest.fixture
def command(api, server, tmp_path, kept):
    """The arguments of `Popen` for the same run each time."""
    arguments = [
        f"model={api.kind}", f"model.name={api.name}", f"model.base_url={api.url(server.url)}", "model.batch=true",
        "dataset=example", "sampling.n=4", "sampling.temperature=0.8", "sanitizer.compare=false", "run_dir=run",
    ]  # fmt: skip
    environment = {**os.environ, "EVALPLUS_RUN_CACHE": str(kept), api.variable: KEY}
    return {
        "args": [sys.executable, "-m", "evalplus_run", *arguments],
        "cwd": tmp_path,
        "env": environment,
        "stdout": subprocess.PIPE,
        "stderr": subprocess.PIPE,
        "text": True,
    }


only_openai = pytest.mark.parametrize("api", BATCH_APIS[:1], ids=["openai"], indirect=True)


@contextmanager
def under_way(command, provider, step):
    """The command, once it has come to a step for the first time."""
    with subprocess.Popen(**command) as running:
        deadline = time.monotonic() + 60
        while step not in provider.steps:
            assert running.poll() is None, running.stderr.read()
            assert time.monotonic() < deadline
            time.sleep(0.02)
        try:
            yield running
        finally:
            running.kill()


@pytest.fixture
def to_its_end(warm):
    """Runs such a command to its end; what it told."""

    def run(command):
        done = warm.run(command["args"][3:], command["cwd"], command["env"], timeout=120)
        assert done.returncode == 0, done.stderr
        return done.stderr

    return run


def rows(tmp_path):
    return [json.loads(line) for line in (tmp_path / "run" / "completions.jsonl").read_text().splitlines()]


STEPS = [
    (OPENAI, "upload", False),
    (OPENAI, "create", False),
    (OPENAI, "create", True),
    (OPENAI, "look", True),
    (OPENAI, "results", True),
    # Once its id is known, a batch is fetched alike from both.
    (ANTHROPIC, "create", False),
    (ANTHROPIC, "create", True),
]


@pytest.mark.parametrize(
    ("api", "step", "taken"),
    STEPS,
    ids=[f"{api.kind}-{step}-{'taken' * taken or 'lost'}" for api, step, taken in STEPS],
    indirect=["api"],
)
def test_a_killed_command_finds_its_batch_again_and_pays_nothing_twice(
    api, command, provider, tmp_path, step, taken, to_its_end
):
    provider.trouble[step] = [HANG]
    provider.taken = {step} if taken else set()
    with under_way(command, provider, step) as running:
        running.kill()
    told = to_its_end(command)
    assert len(provider.batches) == 1
    assert sorted(row["index"] for row in rows(tmp_path)) == [0, 1, 2, 3]
    assert ("picked up: batch " in told) is taken
    assert not json.loads((tmp_path / "run" / "batches.json").read_text())


@only_openai
def test_a_command_killed_between_two_answers_keeps_those_it_had_and_fetches_the_rest(
    api, command, provider, tmp_path, to_its_end
):
    wide = {**command, "args": [*command["args"], "sampling.n=300"]}
    with subprocess.Popen(**wide) as running:
        log = tmp_path / "run" / "completions.jsonl"
        while not (log.exists() and log.stat().st_size):
            assert running.poll() is None, running.stderr.read()
            time.sleep(0.001)
        running.kill()
    had = log.read_bytes().count(b"\n")
    to_its_end(wide)
    assert had > 0
    assert sorted(row["index"] for row in rows(tmp_path)) == list(range(300))
    assert len(provider.batches) == 1


@only_openai
def test_an_interruption_leaves_the_batch_to_the_same_command_and_says_so(api, command, provider, to_its_end):
    provider.looks = 1_000_000
    with under_way(command, provider, "look") as running:
        running.send_signal(signal.SIGINT)
        _, told = running.communicate(timeout=60)
    assert running.returncode == 128 + signal.SIGINT
    assert f"still at the provider: batch {provider.batches[0].id}; the same command again fetches the answers" in told
    assert "the same command again goes on from here" in told
    assert "Traceback" not in told
    provider.looks = 0
    to_its_end(command)
    assert len(provider.batches) == 1


@only_openai
def test_of_two_commands_at_once_one_submits_and_the_other_is_sent_away(api, command, provider):
    provider.looks = 1_000_000
    with under_way(command, provider, "look") as running:
        second = subprocess.run(**command, timeout=60, check=False)
        assert second.returncode == 2
        assert "Another run is at work" in second.stderr
        provider.looks = 0
        _, told = running.communicate(timeout=120)
    assert running.returncode == 0, told
    assert len(provider.batches) == 1


@only_openai
def test_a_larger_n_submits_only_what_is_missing_and_a_smaller_one_asks_nothing(
    api, command, provider, tmp_path, to_its_end
):
    to_its_end(command)
    to_its_end({**command, "args": [*command["args"], "sampling.n=6"]})
    assert [len(batch.rows) for batch in provider.batches] == [4, 2]
    assert sorted(row["index"] for row in rows(tmp_path)) == list(range(6))
    asked = len(provider.steps)
    to_its_end(command)
    assert len(provider.steps) == asked


@only_openai
def test_the_budget_holds_for_batches_too_and_those_under_way_come_first(api, command, provider, tmp_path, to_its_end):
    # 10 tokens an answer are paid for, and at most some 800 were they as long as they may be.
    prices = f"model.prices={{{api.name}: {{input: 0, output: 1000}}}}"
    paid = {**command, "args": [*command["args"], prices, "model.budget=1.6", "sampling.n=10"]}
    provider.trouble["look"] = [HANG]
    with under_way(paid, provider, "look") as running:
        running.kill()
    assert [len(batch.rows) for batch in provider.batches] == [2]
    told = to_its_end({**paid, "args": [*paid["args"], "sampling.n=3"]})
    assert "picked up" in told
    assert [len(batch.rows) for batch in provider.batches] == [2, 1]
    assert sum(row["cost"] for row in rows(tmp_path)) == pytest.approx(3 * 0.003)


@pytest.mark.parametrize("kind", ["google", "bedrock"])
def test_other_apis_say_that_they_have_no_batches_here(evalplus_run, kind):
    done = evalplus_run(f"model={kind}", "model.name=m", "model.batch=true", "dataset=example", status=2)
    assert f"model.batch is no key of model.kind={kind}" in done.stderr
