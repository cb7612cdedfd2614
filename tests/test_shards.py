"""A run in parts, put together."""

import json
import shlex
import subprocess
import sys
import time
from itertools import chain

import fake_slurm
import pytest
from filelock import FileLock

from evalplus_run import json_text, usage
from evalplus_run.benchmarks import DatasetSettings, load
from evalplus_run.evaluate.shard import Shard
from evalplus_run.records import UserError

N = 7
REPLAY = ("model=replay", "model.path=answers.jsonl", "dataset=example", f"sampling.n={N}", "run_dir=run")


def write(path, **fields):
    """Answers of which every third is wrong."""
    (task,) = load(DatasetSettings(name="example")).tasks
    wrong = f"def {task.entry_point}(*_):\n    return {{n}}"
    rows = [
        {"task_id": task.task_id, "solution": f"{task.reference}\n# {n}" if n % 3 else wrong.format(n=n)}
        for n in range(N)
    ]
    path.write_bytes(b"".join(json_text.encode(row | fields) + b"\n" for row in rows))


def told(folder):
    """All that hangs on samples and verdicts, and on no clock."""
    scores = json.loads((folder / "scores.json").read_text())
    for moves in ("seconds", "tokens_per_second", "run_dir"):
        scores.pop(moves)
    rows = [json.loads(line) for line in (folder / "verdicts.jsonl").read_text().splitlines()]
    return scores, {row["index"]: (row["key"], row["evalplus"]["plus"]["outcome"]) for row in rows}


def indices(folder):
    return {json.loads(line)["index"] for line in (folder / "completions.jsonl").read_text().splitlines()}


@pytest.mark.parametrize("of", [1, 2, 3, 8])
def test_each_sample_is_of_one_shard_and_all_shards_have_as_many(of):
    samples = [(place, index) for place in range(24) for index in range(10)]
    shards = [[each for each in samples if Shard(number + 1, of).has(*each)] for number in range(of)]
    assert sorted(chain.from_iterable(shards)) == samples
    assert {len(shard) for shard in shards} == {len(samples) // of}


@pytest.mark.parametrize("text", ["0/2", "3/2", "0/0", "1", "1/0", "a/b", "-1/2", "1/2/3", " 1/2"])
def test_what_is_no_part_is_refused_by_the_name_of_its_key(text):
    with pytest.raises(UserError, match="evaluate.shard="):
        Shard.parse(text)


def test_parts_of_a_run_are_put_together_to_what_one_command_makes(evalplus_run, tmp_path):
    write(tmp_path / "answers.jsonl")
    for number in (3, 1, 2):
        part = evalplus_run(*REPLAY, f"evaluate.shard={number}/3")
        assert f"PARTIAL: shard {number}/3" in part.stdout
    folders = [tmp_path / "run" / "shards" / f"{number}-of-3" for number in (1, 2, 3)]
    assert sorted(chain.from_iterable(map(indices, folders))) == [*range(N)]
    # Nothing is left to be drawn: the answers need not even be there.
    evalplus_run(*REPLAY, "run_dir=other")
    merged = [evalplus_run(*REPLAY) for _ in range(2)]
    assert all("PARTIAL" not in done.stdout for done in merged)
    assert told(tmp_path / "run") == told(tmp_path / "other")
    assert indices(tmp_path / "run") == {*range(N)}
    # A third time nothing is taken any more.
    assert "0 rows" in merged[1].stderr
    assert len((tmp_path / "run" / "verdicts.jsonl").read_text().splitlines()) == N


def test_a_part_that_is_missing_is_said_aloud_and_done(evalplus_run, tmp_path):
    write(tmp_path / "answers.jsonl")
    evalplus_run(*REPLAY, "evaluate.shard=2/3")
    merged = evalplus_run(*REPLAY)
    assert "PARTIAL: shards 1/3, 3/3 are not here" in merged.stderr
    assert "PARTIAL" not in merged.stdout
    assert indices(tmp_path / "run") == {*range(N)}


def test_a_part_of_another_split_and_folders_that_are_no_parts_make_nothing_partial(evalplus_run, tmp_path):
    write(tmp_path / "answers.jsonl")
    for part in ("1/2", "2/2", "1/3"):
        evalplus_run(*REPLAY, f"evaluate.shard={part}")
    for name in ("0-of-0", "3-of-2", "0-of-2"):
        (tmp_path / "run" / "shards" / name).mkdir()
    merged = evalplus_run(*REPLAY)
    assert "PARTIAL" not in merged.stderr + merged.stdout
    assert indices(tmp_path / "run") == {*range(N)}


def test_parts_that_are_put_together_by_two_commands_at_once_are_what_one_makes(evalplus_run, environment, tmp_path):
    write(tmp_path / "answers.jsonl")
    for number in (1, 2):
        evalplus_run(*REPLAY, f"evaluate.shard={number}/2")
    evalplus_run(*REPLAY, "run_dir=other")
    command = [sys.executable, "-m", "evalplus_run", *REPLAY]
    both = [
        subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True) for _ in range(2)
    ]
    told_of = [(each.communicate(timeout=300)[1], each.returncode) for each in both]
    assert 0 in [status for _, status in told_of]
    assert all(status == 0 or "Another run is at work" in text for text, status in told_of)
    assert told(tmp_path / "run") == told(tmp_path / "other")
    assert len((tmp_path / "run" / "verdicts.jsonl").read_text().splitlines()) == N
    assert len((tmp_path / "run" / "completions.jsonl").read_text().splitlines()) == N


def test_the_array_of_slurm_that_help_tells_makes_all_parts(evalplus_run, environment, tmp_path):
    write(tmp_path / "answers.jsonl")
    (line,) = [line.strip() for line in usage.text().splitlines() if line.strip().startswith("sbatch")]
    line = line.replace("evalplus-run ...", shlex.join([sys.executable, "-m", "evalplus_run", *REPLAY]))
    queue = fake_slurm.install(tmp_path / "queue")
    subprocess.run(line.replace("1-8", "1-3"), shell=True, check=True, cwd=tmp_path, env={**environment, **queue})
    state = tmp_path / "queue" / "state"
    over = time.monotonic() + 120
    while [path.read_text().strip() for path in state.glob("*_?")] != ["COMPLETED"] * 3 and time.monotonic() < over:
        time.sleep(0.05)
    assert "PARTIAL" not in evalplus_run(*REPLAY).stderr
    assert sorted(path.name for path in (tmp_path / "run" / "shards").iterdir()) == ["1-of-3", "2-of-3", "3-of-3"]


def test_a_part_that_is_at_work_or_of_another_run_is_not_put_in(evalplus_run, tmp_path):
    write(tmp_path / "answers.jsonl")
    evalplus_run(*REPLAY, "evaluate.shard=1/2")
    part = tmp_path / "run" / "shards" / "1-of-2"
    with FileLock(part / ".lock"):
        assert "1-of-2" in evalplus_run(*REPLAY, status=2).stderr
    manifest = json.loads((part / "manifest.json").read_text())
    (part / "manifest.json").write_text(json.dumps(manifest | {"identity": "another"}))
    assert "other settings" in evalplus_run(*REPLAY, status=2).stderr
    assert not (tmp_path / "run" / "completions.jsonl").exists()


def test_a_part_goes_on_where_it_was_and_knows_of_more_samples(evalplus_run, tmp_path):
    write(tmp_path / "answers.jsonl")
    part = tmp_path / "run" / "shards" / "2-of-2"
    evalplus_run(*REPLAY, "evaluate.shard=2/2", "sampling.n=3")
    assert indices(part) == {1}
    evalplus_run(*REPLAY, "evaluate.shard=2/2")
    assert indices(part) == {1, 3, 5}


def test_given_samples_are_judged_in_parts_too(evalplus_run, tmp_path):
    write(tmp_path / "samples.jsonl")
    given = ("samples=samples.jsonl", "dataset=example")
    for number in (1, 2):
        evalplus_run(*given, "run_dir=run", f"evaluate.shard={number}/2")
    evalplus_run(*given, "run_dir=run")
    evalplus_run(*given, "run_dir=other")
    assert told(tmp_path / "run") == told(tmp_path / "other")
    assert (
        "evaluate.shard=9/9 has no sample" in evalplus_run(*given, "run_dir=run", "evaluate.shard=9/9", status=2).stderr
    )


def test_parts_are_reported_until_they_are_put_together(evalplus_run, tmp_path):
    write(tmp_path / "answers.jsonl")
    evalplus_run(*REPLAY, "evaluate.shard=1/2")
    assert "shard 1/2" in evalplus_run("report", ".").stdout
    evalplus_run(*REPLAY)
    assert "shard 1/2" not in evalplus_run("report", ".").stdout
