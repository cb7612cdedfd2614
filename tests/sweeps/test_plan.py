"""The list of a sweep's jobs."""

import errno

import pytest

from evalplus_run.sweeps import jobs, plan
from evalplus_run.sweeps.jobs import Job, JobFile, name_of
from evalplus_run.sweeps.plan import Plan

A, B, C = ("dataset=a",), ("dataset=b",), ("dataset=c",)


def run(folder, overrides, sweep="s", **ended):
    job = Job(name=name_of(overrides), overrides=overrides, sweeps={sweep: 0}, state="begun", begun="")
    with JobFile(folder, job).held(print):
        pass
    file = JobFile(folder, job)
    file.close(**(ended or {"state": "finished"}))


def states(folder, *overrides):
    return [job.state for job in Plan(sweep="s", jobs=overrides).so_far(folder)]


def test_what_is_written_is_read_back(tmp_path):
    assert plan.latest(tmp_path) == Plan(sweep="", jobs=())
    for sweep in "ab":
        written = Plan(sweep=sweep, jobs=(A, B, ()))
        written.write(tmp_path)
    assert plan.latest(tmp_path) == written


def test_a_job_without_a_record_of_this_command_is_waiting(tmp_path):
    run(tmp_path, A)
    run(tmp_path, B, sweep="before")
    assert states(tmp_path, C, B, A, C) == ["waiting", "waiting", "finished"]


def test_jobs_are_found_where_the_folder_cannot_be_listed(tmp_path, monkeypatch):
    run(tmp_path, A)
    monkeypatch.setattr(jobs.Path, "glob", lambda *_: iter(()))
    assert jobs.jobs_in(tmp_path) == []
    assert states(tmp_path, A) == ["finished"]


def test_a_record_that_cannot_be_read_is_told_of_in_place_of_its_job(tmp_path):
    run(tmp_path, A)
    (tmp_path / "jobs" / f"{name_of(A)}.json").write_bytes(b"\0" * 100)
    (found,) = Plan(sweep="s", jobs=(A,)).so_far(tmp_path)
    assert (found.state, found.overrides) == ("unreadable", A)
    assert "is not a job's record" in found.error


@pytest.mark.parametrize(("times", "state"), [(1, "finished"), (9, "unreadable")])
def test_a_record_that_is_replaced_while_it_is_read_is_read_again(tmp_path, monkeypatch, times, state):
    run(tmp_path, A)
    read, stale = jobs.read_whole, [OSError(errno.ESTALE, "Stale file handle")] * times

    def read_on_a_network(path):
        if stale:
            raise stale.pop()
        return read(path)

    monkeypatch.setattr(jobs, "read_whole", read_on_a_network)
    assert states(tmp_path, A) == [state]


def test_a_list_that_is_broken_is_named_and_costs_nobody_the_jobs(tmp_path, caplog):
    run(tmp_path, A)
    (tmp_path / "sweep.json").write_text("[")
    assert plan.latest(tmp_path).so_far(tmp_path) == []
    assert "sweep.json is not a sweep's list of jobs" in caplog.text
    assert [job.overrides for job in plan.earlier(tmp_path, [])] == [A]


def test_only_jobs_that_the_latest_command_has_not_are_earlier_ones(tmp_path):
    run(tmp_path, A)
    run(tmp_path, B, sweep="before", state="failed", error="x")
    now = Plan(sweep="s", jobs=(A,)).so_far(tmp_path)
    assert [job.overrides for job in plan.earlier(tmp_path, now)] == [B]
