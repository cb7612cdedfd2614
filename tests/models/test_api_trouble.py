"""What a user sees of an API that refuses, is busy or answers nothing, from the command line."""

import json
from dataclasses import replace

import pytest
from stub_server import chat_reply, choices_reply, error_reply, in_a_thread

KEY = "secret-0123456789abcdef"
PROGRAM = "```python\ndef sum_even_at_odd_index(numbers):\n    return sum(v for v in numbers[1::2] if v % 2 == 0)\n```"


@pytest.fixture
def run(evalplus_run, tmp_path):
    """Runs the command against a server with this script; what it told, the requests, the rows of its samples."""

    def call(script, *arguments, status=0):
        with in_a_thread(script) as server:
            done = evalplus_run(
                "model=openai", f"model.base_url={server.url}", "model.name=m", "dataset=example", "run_dir=run",
                "sanitizer.compare=false", *arguments, status=status, environment={"OPENAI_API_KEY": KEY},
            )  # fmt: skip
        assert KEY not in done.stderr + done.stdout
        assert "Traceback" not in done.stderr
        samples = tmp_path / "run" / "samples.jsonl"
        rows = [json.loads(line) for line in samples.read_text().splitlines()] if samples.exists() else []
        return done, server.asked, rows

    return call


def test_a_refused_key_ends_the_command_after_one_request_and_names_the_variable(run):
    done, asked, _ = run(
        lambda asked, number: error_reply(401, f"Incorrect API key: {KEY}", code="invalid_api_key"),
        "sampling.n=50", "sampling.temperature=1", "model.concurrency=1", status=2,
    )  # fmt: skip
    assert "refused the key (401): Incorrect API key: [key]" in done.stderr
    assert "set the environment variable OPENAI_API_KEY" in done.stderr
    assert len(asked) == 1


def test_a_refused_parameter_a_wait_and_an_outage_are_told_and_lived_through_in_few_requests(run, tmp_path):
    def script(asked, number):
        if "temperature" in asked.body:
            return error_reply(400, "Unsupported value: 'temperature' does not support 0.8", param="temperature")
        if number == 1:
            return error_reply(429, "slow down", {"retry-after": "1"})
        if number == 2:
            return error_reply(503, "down")
        reply = chat_reply(PROGRAM)
        return replace(reply, body={**reply.body, "model": "m-2026-11", "system_fingerprint": "fp_1"})

    done, asked, rows = run(script, "sampling.temperature=0.8")
    assert "is not sent the parameter temperature" in done.stderr
    assert "answered 429: slow down; nothing is asked for 1.0 s" in done.stderr
    assert "answered 503: down; waiting " in done.stderr
    assert len(asked) == 4
    assert asked[2].at - asked[1].at >= 1
    assert len(rows) == 1
    assert rows[0].get("outcome") is None
    engine = json.loads((tmp_path / "run" / "manifest.json").read_text())["engine"]
    assert engine["parameter temperature"].startswith("not sent: Unsupported value")
    assert engine["answered_by"] == "m-2026-11 fp_1"
    # The run is called by a temperature that was not obeyed.
    assert "Warning: temperature was not sent: Unsupported value" in " ".join(done.stdout.split())


def test_null_content_is_an_outcome_of_its_own_with_one_warning_and_the_run_goes_on(run, tmp_path):
    def script(asked, number):
        if number == 2:
            return chat_reply(PROGRAM)
        return chat_reply(None, finish="length", reasoning_content="…")

    done, asked, rows = run(script, "sampling.n=3", "sampling.temperature=1", "model.concurrency=1")
    assert done.stderr.count("raise sampling.max_tokens") == 1
    assert sorted(row.get("outcome") or "" for row in rows) == ["", "truncated", "truncated"]
    answers = [json.loads(line) for line in (tmp_path / "run" / "completions.jsonl").read_text().splitlines()]
    drawn = json.loads((tmp_path / "run" / "manifest.json").read_text())["drawn"]
    assert (drawn["answers"], drawn["cut_off"]) == (3, 2)
    empty = [answer for answer in answers if not answer["text"]]
    assert len(empty) == 2
    for answer in empty:
        assert (answer["finish_reason"], answer["reasoning"]) == ("length", "…")
        assert (answer["prompt_tokens"], answer["completion_tokens"]) == (7, 3)
    assert len(asked) == 3


def test_an_empty_answer_that_ended_by_itself_is_told_as_empty(run):
    _, _, rows = run(lambda asked, number: chat_reply(None))
    assert [row["outcome"] for row in rows] == ["empty"]


def test_four_asked_for_and_one_given_ends_in_four_samples_and_their_budget(run, tmp_path):
    def script(asked, number):
        given = 1 if number == 0 else asked.body["n"]
        return choices_reply(*[PROGRAM] * given, prompt_tokens=100, completion_tokens=10 * given)

    done, asked, rows = run(
        script, "sampling.n=4", "sampling.temperature=1", "model.n_per_request=4",
        "model.prices={m: {input: 1000, output: 1000}}",
    )  # fmt: skip
    assert [request.body["n"] for request in asked] == [4, 3]
    assert sorted(row["index"] for row in rows) == [0, 1, 2, 3]
    # Two prompts and four answers.
    assert "0.2400 paid" in done.stderr
