"""Sweeps through the command line: what is run, what is passed over, what is told."""

import json

import pytest
from sweeping import FENCED, RIGHT, WRONG, benchmark, files, jobs, replay, scored, sweep


def test_the_end_is_one_table_of_all_runs(evalplus_run, tmp_path):
    replay(tmp_path, "a", RIGHT)
    replay(tmp_path, "b", WRONG)
    shown = evalplus_run(*sweep("sampling.temperature=0.2,0.8", models="a,b")).stdout
    assert (shown.count("temperature 0.2"), shown.count("temperature 0.8")) == (2, 2)
    assert (scored(shown, "100.0"), scored(shown, "0.0")) == (2, 2)
    assert shown.count("scores in %") == 1
    reported = evalplus_run("report", "outputs").stdout
    assert reported == f"{shown}Each run in full: its folder in place of this one, or --full.\n"
    (run, *_) = sorted(path.parent.relative_to(tmp_path) for path in tmp_path.rglob("scores.json"))
    full = evalplus_run("report", "outputs", "--full").stdout
    assert evalplus_run("report", str(run)).stdout in full
    assert full.count("Files: ") == 4
    assert full.endswith(shown)


def test_what_is_finished_is_passed_over_and_what_is_new_is_run(evalplus_run, tmp_path):
    replay(tmp_path, "a", RIGHT)
    evalplus_run(*sweep("sampling.temperature=0.2,0.8"))
    before = files(tmp_path, "outputs")
    done = evalplus_run(*sweep("sampling.temperature=0.2,0.8,1"))
    assert done.stderr.count("finished before") == 2
    assert done.stderr.count("starting") == 1
    after = files(tmp_path, "outputs")
    assert {path: after[path] for path in before} == before
    assert done.stdout.count("temperature") == 3


def test_a_run_whose_files_have_changed_since_is_run_again(evalplus_run, tmp_path):
    replay(tmp_path, "a", RIGHT)
    evalplus_run(*sweep("sampling.temperature=0.2"))
    (scores,) = tmp_path.rglob("scores.json")
    right = scores.read_text()
    scores.write_text(right.replace("1.0", "0.5"))
    done = evalplus_run(*sweep("sampling.temperature=0.2"))
    assert "finished before" not in done.stderr
    assert json.loads(scores.read_text())["scores"] == json.loads(right)["scores"]


@pytest.mark.parametrize("more", ["k=[1]", "evaluate.details=true", "published={example: {base: 90, source: a paper}}"])
def test_a_run_that_is_told_something_else_is_not_passed_over(evalplus_run, tmp_path, more):
    replay(tmp_path, "a", RIGHT)
    evalplus_run(*sweep("sampling.temperature=0.2"))
    assert "finished before" not in evalplus_run(*sweep("sampling.temperature=0.2", more)).stderr


@pytest.mark.parametrize("fewer", ["dataset.limit=3", "dataset.tasks=[Own/2]", "sampling.n=1"])
def test_a_run_on_fewer_samples_is_not_taken_for_the_whole(evalplus_run, tmp_path, fewer):
    arguments = ("-m", *benchmark(tmp_path, tasks=4, n=2), "sanitizer.compare=false")
    evalplus_run(*arguments, fewer)
    done = evalplus_run(*arguments)
    assert "finished before" not in done.stderr
    (whole,) = [path for path in tmp_path.rglob("scores.json") if path.parent.name != "part"]
    assert json.loads(whole.read_text())["scores"]["evalplus"]["samples"] == 8


def test_other_workers_do_not_make_another_run(evalplus_run, tmp_path):
    replay(tmp_path, "a", RIGHT)
    evalplus_run(*sweep("sampling.temperature=0.2"))
    assert "finished before" in evalplus_run(*sweep("sampling.temperature=0.2", "executor.workers=1")).stderr


def test_a_job_that_fails_is_told_and_stops_no_other(evalplus_run, tmp_path):
    replay(tmp_path, "a", RIGHT)
    done = evalplus_run(*sweep("sampling.temperature=0,1", models="none,a"), status=1)
    assert "2 of the sweep's 4 jobs failed: see outputs/jobs." in done.stderr
    assert scored(done.stdout, "100.0") == 2
    assert done.stdout.count("failed: There is no file none.jsonl") == 2
    states = {name: (job["state"], job["error"]) for name, job in jobs(tmp_path).items()}
    failed = states["model=replay model.path=none.jsonl dataset=example sampling.temperature=0"]
    assert (failed[0], "There is no file none.jsonl" in failed[1]) == ("failed", True)
    assert states["model=replay model.path=a.jsonl dataset=example sampling.temperature=1"] == ("finished", "")
    assert "failed: There is no file none.jsonl" in evalplus_run("report", "outputs").stdout


def test_before_any_run_has_ended_a_report_tells_of_the_jobs(evalplus_run, tmp_path):
    evalplus_run(*sweep(models="none"), status=1)
    assert "failed: There is no file none.jsonl" in evalplus_run("report", "outputs").stdout
    assert "has ended yet" in evalplus_run("report", "outputs", "--html", "page.html", status=2).stderr


def test_a_second_sweep_into_a_folder_leaves_the_other_runs_and_a_third_repeats_what_failed(evalplus_run, tmp_path):
    replay(tmp_path, "a", RIGHT)
    evalplus_run(*sweep("hydra.sweep.dir=mine", models="a,none,a"), status=1)
    first = files(tmp_path, "mine")
    evalplus_run(*sweep("hydra.sweep.dir=mine", models="none"), status=1)
    assert files(tmp_path, "mine") == first
    replay(tmp_path, "none", WRONG)
    done = evalplus_run(*sweep("hydra.sweep.dir=mine", models="a,none,a"))
    assert (done.stderr.count("finished before"), done.stderr.count("starting none")) == (2, 1)
    after = files(tmp_path, "mine")
    assert {path: after[path] for path in first} == first
    assert not (tmp_path / "outputs").exists()


def test_with_fail_fast_nothing_begins_after_a_failure(evalplus_run, tmp_path):
    replay(tmp_path, "a", RIGHT)
    done = evalplus_run(*sweep("sweep.fail_fast=true", models="a,none,a,none"), status=1)
    assert (done.stderr.count("job 0"), done.stderr.count("job 2"), done.stderr.count("job 3")) == (1, 0, 0)
    assert scored(done.stdout, "100.0") == 1
    done = evalplus_run(*sweep("sweep.fail_fast=true", "sampling.temperature=0.2,0.4", models="none,a"), status=1)
    assert "1 of the sweep's 4 jobs failed, 3 were not begun: see outputs/jobs." in done.stderr
    assert "not begun, 3 of 4 jobs: model=replay model.path=none.jsonl" in done.stdout


def test_what_failed_in_an_earlier_command_is_told_apart_and_can_be_dropped(evalplus_run, tmp_path):
    replay(tmp_path, "a", RIGHT)
    evalplus_run("-m", status=1)
    evalplus_run(*sweep())
    (told,) = [line for line in evalplus_run("report", "outputs").stdout.splitlines() if "the job without any" in line]
    assert told.startswith("earlier, by another command (")
    assert "failed: Give a model" in told
    (tmp_path / told.partition("rm ")[2].partition(")")[0]).unlink()
    assert "earlier" not in evalplus_run("report", "outputs").stdout


def test_a_finished_job_whose_result_is_gone_has_a_line(evalplus_run, tmp_path):
    replay(tmp_path, "a", RIGHT)
    evalplus_run(*sweep("sampling.temperature=0.2,0.8"))
    (scores,) = tmp_path.rglob("t0.2-*/scores.json")
    scores.unlink()
    shown = evalplus_run("report", "outputs").stdout
    assert (
        f"sampling.temperature=0.2 finished, but its result is gone from {scores.parent.relative_to(tmp_path)}" in shown
    )
    assert "gone" not in evalplus_run(*sweep("sampling.temperature=0.2,0.8")).stdout


def test_runs_that_would_look_alike_are_named_by_what_differs(evalplus_run, tmp_path):
    for name, text in (("a", RIGHT), ("b", WRONG)):
        (tmp_path / name).mkdir()
        replay(tmp_path / name, "samples", text)
    swept = sweep("evaluate.time_factor=4,8", "sampling.temperature=0,1", models="a/samples,b/samples")
    shown = evalplus_run(*swept, environment={"COLUMNS": "120"})
    names = [line.partition(": ")[0] for line in shown.stdout.splitlines() if line.startswith("samples")]
    assert sorted(names) == sorted(
        f"samples, model.path={model}/samples.jsonl, evaluate.time_factor={factor}{at}"
        for model in "ab"
        for factor in (4, 8)
        for at in (", sampling.temperature=0", "")
    )
    assert evalplus_run("report", "outputs", "--markdown").stdout.count("time\\_factor=8") == 4


def test_runs_of_no_sweep_that_look_alike_are_named_by_their_folders(evalplus_run, tmp_path):
    replay(tmp_path, "a", RIGHT)
    for factor in "48":
        evalplus_run(*sweep()[1:], f"evaluate.time_factor={factor}", f"run_dir=run{factor}")
    shown = evalplus_run("report", "run4", "run8").stdout
    assert ("\na, run4: " in shown, "\na, run8: " in shown) == (True, True)


def test_each_run_of_a_sweep_is_held_against_what_was_published(evalplus_run, tmp_path):
    published = "published={custom: {base: 90, source: a table, temperature: 0}}"
    more = ("sampling.temperature=0,1", "sanitizer.compare=false", published)
    done = evalplus_run("-m", *benchmark(tmp_path, tasks=30, n=1), *more)
    shown = " ".join(done.stdout.split())
    assert shown.count("30 published: 90.0, -: ") == 2
    assert "published: 90.0, -: not consistent" in shown
    assert "not held against ours: it was drawn at temperature 0 and this run at 1" in shown


def test_jobs_that_share_a_folder_are_told_of_whose_result_stands_there(evalplus_run, tmp_path):
    replay(tmp_path, "a", RIGHT, WRONG)
    shown = evalplus_run(*sweep("sampling.n=1,2")).stdout
    (told,) = [line for line in shown.splitlines() if "another job's result stands now" in line]
    assert "sampling.n=1 has its run in" in told


def test_what_cannot_be_composed_is_refused_before_any_job(evalplus_run, tmp_path):
    replay(tmp_path, "a", RIGHT)
    assert "did you mean dataset=example?" in evalplus_run(*sweep()[:-1], "dataset=example,exampel", status=2).stderr
    assert not (tmp_path / "outputs").exists()


@pytest.mark.parametrize("more", ["sampling.temperature=glob(*)", "dataset=glob(z*)"])
def test_a_sweep_without_any_job_is_no_success(evalplus_run, tmp_path, more):
    replay(tmp_path, "a", RIGHT)
    assert "The sweep has no job" in evalplus_run(*sweep()[:-1], "dataset=example", more, status=2).stderr


def test_a_job_that_the_launcher_could_not_begin_is_no_success(evalplus_run, tmp_path):
    replay(tmp_path, "a", RIGHT)
    (tmp_path / "outputs" / ".hydra").mkdir(parents=True)
    (tmp_path / "outputs" / ".hydra" / "1").touch()
    done = evalplus_run(*sweep("hydra.sweep.subdir=${hydra.job.num}", "sampling.temperature=0,1"), status=1)
    told = done.stderr.splitlines()[-1]
    assert told.startswith("evalplus-run: ")
    assert (
        "outputs/.hydra/1 cannot be used (File exists)" in told.partition("1 of the sweep's 2 jobs were not begun")[0]
    )
    assert (
        "not begun, 1 of 2 jobs: model=replay model.path=a.jsonl dataset=example sampling.temperature=1" in done.stdout
    )
    assert scored(done.stdout, "100.0") == 1
    meanwhile = evalplus_run("report", "outputs").stdout
    assert "not begun, 1 of 2 jobs" in meanwhile
    (tmp_path / "outputs" / ".hydra" / "1").unlink()
    assert (
        "not begun"
        not in evalplus_run(*sweep("hydra.sweep.subdir=${hydra.job.num}", "sampling.temperature=0,1")).stdout
    )


def test_a_sweep_that_is_told_by_its_mode_alone_is_refused(evalplus_run, tmp_path):
    replay(tmp_path, "a", RIGHT)
    asked = (*sweep()[1:], "hydra.mode=MULTIRUN", "sampling.temperature=0,1")
    assert "say so by -m" in evalplus_run(*asked, status=2).stderr
    assert not list(tmp_path.rglob("scores.json"))


def test_sanitizers_share_the_answers_and_not_the_folder(evalplus_run, tmp_path):
    replay(tmp_path, "a", FENCED)
    done = evalplus_run(*sweep("sanitizer=default,none,evalplus"))
    assert (scored(done.stdout, "100.0"), scored(done.stdout, "0.0")) == (2, 1)
    assert done.stderr.count("starting") == 1
    runs = sorted(path.parent for path in (tmp_path / "outputs").rglob("scores.json"))
    assert [run.name.removeprefix(runs[0].name) for run in runs] == ["", "-evalplus", "-none"]
    assert len({(run / "completions.jsonl").read_bytes() for run in runs}) == 1
    manifests = [json.loads((run / "manifest.json").read_text()) for run in runs]
    assert [manifest["drawn"]["answers"] for manifest in manifests] == [1, 1, 1]


def test_the_rules_of_judging_name_the_folder_too(evalplus_run, tmp_path):
    replay(tmp_path, "a", RIGHT)
    evalplus_run(*sweep("evaluate.time_factor=4,8", "sandbox.memory=4096,1024"))
    assert len(list((tmp_path / "outputs").rglob("scores.json"))) == 4


def test_temperatures_on_the_command_line_stand_in_the_place_of_the_experiments(evalplus_run, tmp_path):
    replay(tmp_path, "a", *[RIGHT] * 10)
    done = evalplus_run(*sweep("experiment=temperature_sweep", "sampling.temperature=0.3,0.5"))
    assert [done.stdout.count(f"temperature {value}") > 0 for value in (0.2, 0.3, 0.5)] == [False, True, True]
    assert len(jobs(tmp_path)) == 2


def test_models_vary_slowest_whatever_is_typed_first(evalplus_run, tmp_path):
    replay(tmp_path, "a", RIGHT)
    replay(tmp_path, "b", RIGHT)
    models = ("model.path=a.jsonl,b.jsonl", "model=replay")
    done = evalplus_run("-m", "sampling.temperature=0.2,0.8", *models, "dataset=example")
    told = [line.split("model.path=")[1][0] for line in done.stderr.splitlines() if line.startswith("job ")]
    assert told == ["a", "a", "b", "b"]
