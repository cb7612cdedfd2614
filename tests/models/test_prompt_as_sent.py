"""What a report shows as the prompt, held against what a server really got."""

import json

from stub_server import chat_reply, in_a_thread

TASKS = ("\n\ndef first(x):\n    '''Give x.'''\n", "def second(x):\n    '''Give x, too.'''\n\n")


def benchmark(path):
    names = ("first", "second")
    rows = [
        {
            "task_id": f"Own/{number}",
            "prompt": prompt,
            "entry_point": name,
            "canonical_solution": "    return x\n",
            "base_input": [[1]],
        }
        for number, (name, prompt) in enumerate(zip(names, TASKS, strict=True))
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def prompt_in(shown):
    """The part of what `show` prints between its title and the next one."""
    return shown.partition("== prompt as sent ==\n")[2].partition("\n== raw answer ==")[0]


def test_the_prompt_that_is_shown_of_any_task_is_the_one_that_was_sent(evalplus_run, tmp_path):
    benchmark(tmp_path / "benchmark.jsonl")
    with in_a_thread(lambda asked, number: chat_reply("```python\ndef second(x):\n    return x\n```")) as server:
        evalplus_run(
            "model=openai", f"model.base_url={server.url}", "model.name=m", "run_dir=run", "dataset=custom",
            "dataset.path=benchmark.jsonl", "prompt.system=Be brief, and say nothing of {prompt}.",
        )  # fmt: skip
    sent = ["\n".join(f"[{turn['role']}]\n{turn['content']}" for turn in one.body["messages"]) for one in server.asked]
    for number, task in enumerate(TASKS):
        (own,) = (text for text in sent if task.strip() in text)
        assert own.startswith("[system]\nBe brief, and say nothing of {prompt}.\n[user]\n")
        assert prompt_in(evalplus_run("show", "run", f"Own/{number}").stdout) == own.rstrip()


def test_of_samples_that_were_given_the_task_is_shown_and_called_so(evalplus_run, tmp_path):
    benchmark(tmp_path / "benchmark.jsonl")
    row = {"task_id": "Own/0", "solution": "def first(x): return x"}
    (tmp_path / "samples.jsonl").write_text(json.dumps(row) + "\n")
    evalplus_run("samples=samples.jsonl", "dataset=custom", "dataset.path=benchmark.jsonl", "run_dir=run")
    shown = evalplus_run("show", "run", "Own/0").stdout
    assert "== task ==" in shown
    assert "prompt" not in shown
