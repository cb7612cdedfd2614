"""Small files of verdicts."""

import json

PLUS_TARGET = "def check(candidate):\n    inputs = [[1]]\n    results = [1]\n"


def row(base="pass", plus="pass", **more):
    return {"solution": "def f(x): return 0\n", "base_status": base, "plus_status": plus, **more}


def results(folder, entries, **more):
    """In EvalPlus's form, from the entries of its tasks."""
    path = folder / "results.json"
    path.write_text(json.dumps({"eval": entries, **more}))
    return path


def human_eval_lines(folder, task_ids, **more):
    row = {"completion": "    return 0\n", "result": "passed", "passed": True} | more
    return _lines(folder / "results.jsonl", [{"task_id": task_id, **row} for task_id in task_ids])


def lm_eval_lines(folder, task_ids, responses=("    return 0\n",), share=1.0, **more):
    row = {"resps": [list(responses)], "pass@1": share, **more}
    rows = [{"doc": {"task_id": task_id, "prompt": "def f(x):\n"}, **row} for task_id in task_ids]
    return _lines(folder / "samples.jsonl", rows)


def _lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path
