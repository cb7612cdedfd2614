import json

import pytest

from evalplus_run import datasets

TASKS = [
    {
        "task_id": f"Own/{number}",
        "prompt": "def f(x):\n",
        "entry_point": "f",
        "canonical_solution": "    return x\n",
        "base_input": [[1], [2], [3]],
        "plus_input": [[[4, 5]], [{"a": 1}]],
    }
    for number in range(3)
]


@pytest.fixture
def own(tmp_path):
    """A benchmark of one's own, of three tasks."""
    path = tmp_path / "own.jsonl"
    path.write_text("".join(json.dumps(task) + "\n" for task in TASKS))
    return datasets.named(str(path))
