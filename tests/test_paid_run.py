"""A run that is paid for, from the command line against a server on loopback."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

PROGRAM = "def sum_even_at_odd_index(numbers):\n    return sum(v for v in numbers[1::2] if v % 2 == 0)\n"


class Paid(BaseHTTPRequestHandler):
    """Answers with a program and counts what that takes: 100 tokens of prompt, 10 new ones."""

    protocol_version = "HTTP/1.1"
    seeds: list[int]

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.seeds.append(asked["seed"])
        choice = {"index": 0, "finish_reason": "stop", "message": {"content": f"```python\n{PROGRAM}```"}}
        usage = {"prompt_tokens": 100, "completion_tokens": 10}
        body = json.dumps({"choices": [choice], "usage": usage}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def paid():
    """A server's address, and the seed of each request that it got."""
    handler = type("Handler", (Paid,), {"seeds": []})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}/v1", handler.seeds
        running.shutdown()


def command(url):
    return [
        "model=openai", f"model.base_url={url}", "model.name=my-model-4.1", "dataset=example", "sampling.n=20",
        "sampling.temperature=0.8", "sampling.max_tokens=100", "model.prices={my-model-4.1: {input: 0, output: 1000}}",
        "sanitizer.compare=false",
    ]  # fmt: skip


def manifest(tmp_path):
    (path,) = (tmp_path / "outputs").rglob("manifest.json")
    return json.loads(path.read_text())


def test_a_budget_that_is_reached_stops_and_a_higher_one_goes_on_without_paying_twice(evalplus_run, tmp_path, paid):
    url, seeds = paid
    # An answer costs 0.01, and 0.1 were it as long as it may be.
    first = evalplus_run(*command(url), "model.budget=0.155", status=1)
    assert "forecast: 20 answers to 1 prompt, about " in first.stderr
    assert "at most 2,000 new ones, at most about 2.0000 in the currency of model.prices" in first.stderr
    assert "model.budget=0.155 may end it" in first.stderr
    assert "0.0600 was paid for 6 answers, kept all, and 14 answers to go" in first.stderr
    assert "Traceback" not in first.stderr
    assert len(seeds) == 6
    assert manifest(tmp_path)["drawn"]["paid"] == pytest.approx(0.06)

    again = evalplus_run(*command(url), "model.budget=0.155", status=1)
    assert "0.0600 was paid for 6 answers" in again.stderr
    assert len(seeds) == 6

    rest = evalplus_run(*command(url), "model.budget=0.30")
    assert "forecast: 14 answers" in rest.stderr
    assert "on top of 0.0600" in rest.stderr
    assert "sampled: 14 of 14, " in rest.stderr
    assert "tokens/s, 0.2000 paid" in rest.stderr
    assert "Cost: 0.2000" in rest.stdout
    assert len(seeds) == len(set(seeds)) == 20
    told = manifest(tmp_path)
    assert told["drawn"]["paid"] == pytest.approx(0.2)
    assert told["drawn"]["new_tokens"] == 140
    assert told["forecast"]["price"] == {"input": 0, "output": 1000}
    assert told["forecast"]["budget"] == 0.3


def test_a_run_without_prices_foretells_tokens_and_names_no_cost(evalplus_run, tmp_path, paid):
    url, _ = paid
    done = evalplus_run(*command(url), "model.prices=null")
    assert "the cost is not known" in done.stderr
    assert "Cost" not in done.stdout
    assert manifest(tmp_path)["drawn"]["paid"] is None


def test_a_budget_without_a_price_is_refused_before_anything_is_asked(evalplus_run, paid):
    url, seeds = paid
    done = evalplus_run(*command(url), "model.name=another", "model.budget=1", status=2)
    assert "model.prices={another: {input: …, output: …}}" in done.stderr
    assert seeds == []
