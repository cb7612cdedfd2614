"""What a sweep's folder holds of its jobs."""

import json
import os
import socket
import threading
import time
from pathlib import Path

import pytest

from evalplus_run.records import RunFailed
from evalplus_run.sweeps.jobs import Job, JobFile, at_work_in, jobs_in, name_of


def job(name="a", sweep="s", number=0):
    return Job(name=name, overrides=("dataset=example",), sweeps={sweep: number}, state="begun", begun="")


def test_a_job_that_ended_is_read_back_as_it_was_written(tmp_path):
    file = JobFile(tmp_path, job())
    with file.held(print):
        assert [each.state for each in jobs_in(tmp_path)] == ["begun"]
        file.close("failed", error="no file", details="Traceback")
    (found,) = jobs_in(tmp_path)
    assert found == file.job
    assert (found.error, found.details, bool(found.begun), bool(found.ended)) == ("no file", "Traceback", True, True)


def test_a_job_is_at_work_as_long_as_its_process_holds_it(tmp_path):
    with JobFile(tmp_path, job()).held(print):
        (found,) = at_work_in(tmp_path, ["a"])
        assert at_work_in(tmp_path, ["b"]) == []
        assert found.whereabouts == f"process {os.getpid()} on {socket.gethostname()}"
    # Killed: the record still says that it has begun.
    assert [each.state for each in jobs_in(tmp_path)] == ["begun"]
    assert at_work_in(tmp_path, ["a"]) == []


def test_a_job_of_a_queue_says_how_it_is_ended_there(tmp_path, monkeypatch):
    monkeypatch.setenv("SLURM_JOB_ID", "7")
    with JobFile(tmp_path, job()).held(print):
        assert jobs_in(tmp_path)[0].whereabouts.endswith("ended by scancel 7")
    monkeypatch.setenv("SLURM_ARRAY_JOB_ID", "6")
    monkeypatch.setenv("SLURM_ARRAY_TASK_ID", "3")
    with JobFile(tmp_path, job()).held(print):
        assert jobs_in(tmp_path)[0].whereabouts.endswith("ended by scancel 6_3")


def test_a_job_that_begins_again_forgets_how_it_failed(tmp_path):
    file = JobFile(tmp_path, job())
    with file.held(print):
        file.close("failed", error="no file")
    with JobFile(tmp_path, job(sweep="t")).held(print):
        (found,) = jobs_in(tmp_path)
    assert (found.state, found.error, found.place) == ("begun", "", ("t", 0))


def test_a_job_that_is_finished_stays_so_while_another_sweep_looks_at_it(tmp_path):
    file = JobFile(tmp_path, job())
    with file.held(print):
        file.close("finished", run_dir=str(tmp_path / "a"))
    with JobFile(tmp_path, job(sweep="t")).held(print):
        (found,) = jobs_in(tmp_path, "s")
    assert (found.state, found.run_dir) == ("finished", str(tmp_path / "a"))


def test_a_folder_that_is_moved_takes_its_runs_along(tmp_path):
    file = JobFile(tmp_path / "here", job())
    with file.held(print):
        file.close("finished", run_dir=str(tmp_path / "here" / "a"))
    (tmp_path / "here").rename(tmp_path / "there")
    (found,) = jobs_in(tmp_path / "there")
    assert found.run_dir == str(tmp_path / "there" / "a")


def test_jobs_are_told_in_the_order_of_their_sweep(tmp_path):
    for name, number in (("a", 2), ("b", 0), ("c", 1)):
        with JobFile(tmp_path, job(name, number=number)).held(print):
            pass
    with JobFile(tmp_path, job("d", sweep="other")).held(print):
        pass
    assert [each.name for each in jobs_in(tmp_path, "s")] == ["b", "c", "a"]
    assert len(jobs_in(tmp_path)) == 4


def test_a_job_that_another_command_had_since_is_told_by_both(tmp_path):
    for sweep, number in (("first", 3), ("second", 1)):
        with JobFile(tmp_path, job(sweep=sweep, number=number)).held(print):
            pass
    assert [len(jobs_in(tmp_path, sweep)) for sweep in ("first", "second", "third")] == [1, 1, 0]
    (found,) = jobs_in(tmp_path)
    assert (dict(found.sweeps), found.place) == ({"first": 3, "second": 1}, ("second", 1))


def test_a_job_does_not_grow_with_all_the_commands_that_ever_had_it(tmp_path):
    for number in range(100):
        with JobFile(tmp_path, job(sweep=f"{number}", number=number)).held(print):
            pass
    (found,) = jobs_in(tmp_path)
    assert (len(found.sweeps), found.place) == (32, ("99", 99))


def test_a_record_that_is_broken_is_written_anew_by_its_own_job(tmp_path):
    (tmp_path / "jobs").mkdir()
    (tmp_path / "jobs" / "a.json").write_text("{")
    with JobFile(tmp_path, job()).held(print):
        assert [each.name for each in jobs_in(tmp_path)] == ["a"]


def test_a_record_that_is_a_pipe_is_not_waited_for(tmp_path):
    (tmp_path / "jobs").mkdir()
    os.mkfifo(tmp_path / "jobs" / "x.json")
    assert jobs_in(tmp_path) == []


def test_the_same_job_elsewhere_waits_until_the_first_is_through_and_says_so(tmp_path):
    order, said = [], []

    def say(text):
        said.append(text)
        order.append("told")

    def second():
        with JobFile(tmp_path, job()).held(say):
            order.append("second")

    first = JobFile(tmp_path, job())
    with first.held(order.append):
        thread = threading.Thread(target=second)
        thread.start()
        end = time.monotonic() + 30
        while not order and time.monotonic() < end:
            time.sleep(0.01)
        order.append("first")
    thread.join(30)
    assert order == ["told", "first", "second"]
    assert f"process {os.getpid()} on {socket.gethostname()}" in said[0]


def test_who_waits_for_a_machine_that_is_gone_goes_on_once_the_file_that_it_names_is_removed(tmp_path):
    order = []

    def second():
        with JobFile(tmp_path, job()).held(lambda text: Path(text.rpartition("remove ")[2]).unlink()):
            order.append("second")

    with JobFile(tmp_path, job()).held(print):
        thread = threading.Thread(target=second)
        thread.start()
        thread.join(30)
        assert order == ["second"]


def test_the_order_of_overrides_does_not_name_a_job_and_all_else_does():
    assert name_of(("dataset=a", "sampling.n=1")) == name_of(("sampling.n=1", "dataset=a"))
    assert len({name_of(words) for words in ((), ("a=1",), ("a=2",), ("a=1", "b=1"), ("a=1 b=1",))}) == 5


@pytest.mark.parametrize("content", ["", "{}", "[1]", json.dumps({"name": 3})])
def test_a_file_that_is_no_job_is_named_and_costs_nobody_the_others(tmp_path, content, caplog):
    with JobFile(tmp_path, job()).held(print):
        (tmp_path / "jobs" / "x.json").write_text(content)
        assert [each.name for each in jobs_in(tmp_path)] == ["a"]
    assert "jobs/x.json is not a job's record" in caplog.text


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "jobs").write_text("a file")
    with pytest.raises(RunFailed, match=r"give another sweep.dir"), JobFile(tmp_path, job()).held(print):
        pass
