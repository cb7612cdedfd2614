import json
import os
from pathlib import Path

import pytest

_VARIABLES = ("EVALPLUS_RUN_DATA", "HUMANEVAL_OVERRIDE_PATH", "MBPP_OVERRIDE_PATH")
_OFFICIAL = os.environ.get("EVALPLUS_RUN_DATA")


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """No source of data but an empty cache."""
    for variable in _VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("EVALPLUS_RUN_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    return tmp_path / "cache" / "datasets"


@pytest.fixture
def official(monkeypatch):
    """The folder of the official files."""
    if not _OFFICIAL:
        pytest.skip("set EVALPLUS_RUN_DATA to the folder with the official datasets")
    monkeypatch.setenv("EVALPLUS_RUN_DATA", _OFFICIAL)
    return Path(_OFFICIAL)


@pytest.fixture
def row():
    """A well-formed row."""
    return {
        "task_id": "Own/1",
        "prompt": 'def double(x):\n    """Twice x."""\n',
        "entry_point": "double",
        "canonical_solution": "    return 2 * x\n",
        "contract": "    assert isinstance(x, int)\n",
        "base_input": [[1], [2]],
        "plus_input": [[-1]],
        "atol": 0.5,
    }


@pytest.fixture
def write(tmp_path):
    """Write rows (or raw text) as a JSONL file and give its path."""

    def _write(*rows, name="own.jsonl"):
        path = tmp_path / name
        path.write_text("".join(row if isinstance(row, str) else json.dumps(row) + "\n" for row in rows), "utf-8")
        return path

    return _write
