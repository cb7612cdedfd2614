"""Programs are run in a child process, one for all tests: they are short and ours."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

from evalplus_run.records import Completion, Program, Task
from evalplus_run.sanitize import SanitizerSettings, sanitize

RUNNER = """
import json, os, sys
answers, sys.stdout = sys.stdout, open(os.devnull, "w")
sys.stdin, questions = open(os.devnull), sys.stdin
for line in questions:
    names = {"__name__": "program"}
    try:
        for text in json.loads(line):
            exec(compile(text, "program", "exec"), names)
        answer = ""
    except BaseException as error:
        answer = f"{type(error).__name__}: {error}" or "?"
    print(json.dumps(answer), file=answers, flush=True)
"""

Check = Callable[[str, str], str]
Sanitize = Callable[..., Program]


@pytest.fixture(scope="session")
def fault_of() -> Iterator[Check]:
    """Run a program and then a check; give back the exception as text, empty if there is none."""
    with subprocess.Popen(
        [sys.executable, "-I", "-c", RUNNER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:

        def run(program: str, check: str) -> str:
            assert child.stdin is not None and child.stdout is not None
            child.stdin.write(json.dumps([program, check]) + "\n")
            child.stdin.flush()
            return json.loads(child.stdout.readline())

        yield run
        assert child.stdin is not None
        child.stdin.close()


@pytest.fixture(scope="session")
def sanitized() -> Sanitize:
    """Sanitize a text for an entry point."""

    def run(text, entry_point="f", prompt="", finish_reason="unknown", front=False, **settings):
        task = Task("Test/0", prompt, entry_point, "", (), ())
        completion = Completion("Test/0", 0, text, finish_reason=finish_reason)
        return sanitize(completion, task, SanitizerSettings(**settings), prompt_in_front=front)

    return run
