"""Every command of the README is run: here against a little server, or by `.ci/run` where it needs an engine."""

import json
import os
import re
import shlex
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
GATE = (ROOT / ".ci" / "run").read_text()

BLOCKS = re.findall(r"```bash\n(.*?)```", README, re.DOTALL)
COMMANDS = [line for block in BLOCKS for line in block.splitlines() if line.strip()]
BY_THE_GATE = [c for c in COMMANDS if c.startswith("python3 -m venv") or "model=llama_cpp" in c]
HERE = [command for command in COMMANDS if command not in BY_THE_GATE]
NAMED = re.findall(r"^\| `evalplus-run (\w+) ", README, re.MULTILINE)

PROGRAM = "def add(x, y):\n    return x + y\n"

CHOICE = {"index": 0, "finish_reason": "stop", "text": PROGRAM, "message": {"content": f"```python\n{PROGRAM}```"}}
ANSWER = {"choices": [CHOICE], "usage": {"prompt_tokens": 1, "completion_tokens": 1}}
SAYS = {
    "inputs": "dataset.path=outputs/custom/inputs-",
    "audit": "say nothing of a program",
    "reduce": "dataset.path=outputs/custom/reduced-",
}
"""What is printed by commands that make no score."""


class Answers(BaseHTTPRequestHandler):
    """Answers every request, chat or completion, alone or in a batch, with the same program."""

    protocol_version = "HTTP/1.1"
    names: tuple[str, ...] = ()
    """Of the rows of the last batch."""

    def do_POST(self):
        asked = self.rfile.read(int(self.headers["content-length"]))
        if self.path.endswith("/files"):
            Answers.names = tuple(re.findall(r'"custom_id":"([^"]+)"', asked.decode()))
            self.answer({"id": "file"})
        elif self.path.endswith("/batches"):
            self.answer({"id": "batch"})
        else:
            self.answer(ANSWER)

    def do_GET(self):
        rows = [{"custom_id": name, "response": {"status_code": 200, "body": ANSWER}} for name in self.names]
        done = {"id": "batch", "status": "completed", "output_file_id": "file"}
        self.answer(*(rows if self.path.endswith("/content") else [done]))

    def answer(self, *rows):
        body = b"\n".join(json.dumps(row).encode() for row in rows)
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def server():
    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}/v1"
        running.shutdown()


@pytest.fixture
def folder(tmp_path):
    """Where a user who follows the README would be: samples and a benchmark of their own lie here."""
    # Two, so that each of two shards has one.
    (tmp_path / "samples.jsonl").write_text(2 * (json.dumps({"task_id": "HumanEval/53", "solution": PROGRAM}) + "\n"))
    row = {
        "task_id": "HumanEval/53",
        "prompt": "def add(x, y):\n",
        "entry_point": "add",
        "canonical_solution": "    return x + y\n",
        "base_input": [[1, 2]],
        "plus_input": [[3, 4]],
    }
    logged = {
        "doc": {"task_id": "HumanEval/53", "prompt": "def add(x, y):\n"},
        "arguments": {"gen_args_0": {"arg_0": "def add(x, y):\n"}},
        "resps": [["    return x + y\n"]],
        "pass@1": 1.0,
    }
    (tmp_path / "samples_humaneval.jsonl").write_text(json.dumps(logged) + "\n")
    (tmp_path / "other.jsonl").write_bytes((tmp_path / "samples.jsonl").read_bytes())
    (tmp_path / "benchmark.jsonl").write_text(json.dumps(row) + "\n")
    return tmp_path


@pytest.fixture
def run(folder, warm):
    environment = {**os.environ, "EVALPLUS_RUN_CACHE": str(folder / "cache"), "OPENAI_API_KEY": "test-key"}
    return lambda *arguments: warm.run(arguments, folder, environment, 300)


@pytest.mark.parametrize("command", HERE)
def test_every_command_works_as_it_stands(command, folder, server, run):
    if "_plus" in command and not os.environ.get("EVALPLUS_RUN_DATA"):
        pytest.skip("EVALPLUS_RUN_DATA names no folder with the official data")
    name, *arguments = shlex.split(command.replace("http://127.0.0.1:8000/v1", server))
    assert name == "evalplus-run"
    reads = not any("=" in argument for argument in arguments)
    # One task is enough to see that the command stands.
    sizes = [] if reads or "dataset=custom" in arguments else ["dataset.tasks=[HumanEval/53]"]
    if "dataset=mbpp_plus" in arguments:
        sizes = ["dataset.limit=1"]
    if "model=openai" in arguments and "base_url" not in command:
        sizes.append(f"model.base_url={server}")
    if "sampling=passk" in arguments:
        sizes.append("sampling.n=20")
    done = run(*arguments, *sizes)
    assert done.returncode == 0, done.stderr
    assert SAYS.get(arguments[0], "pass@1") in done.stdout
    assert "test-key" not in "".join(
        path.read_text(errors="replace") for path in (folder / "outputs").rglob("*") if path.is_file()
    )


def test_the_readme_has_commands_and_the_gate_runs_the_rest():
    assert len(HERE) >= 5
    assert [command for command in BY_THE_GATE if "pytest" in command or "quickstart" in command]
    assert "README.md" in GATE
    assert "model=llama_cpp" in GATE


@pytest.mark.parametrize("name", NAMED)
def test_every_command_of_the_table_exists(name, run):
    done = run(name, "--help")
    assert done.returncode == 0
    assert name in done.stdout
