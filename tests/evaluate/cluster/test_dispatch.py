"""How jobs are handed out where Ray itself fails: who asked is told, and nobody waits for ever."""

import pytest

pytest.importorskip("ray", reason="the extra ray is not installed")

from concurrent.futures import Future

from evalplus_run.errors import RunFailed
from evalplus_run.evaluate.cluster import dispatch


class Silent:
    """A crew that cannot be asked any more."""

    members = ()

    def look(self):
        raise ConnectionError("the connection to the cluster is lost")


class Worker:
    """A node with a worker, as far as jobs are handed out to it."""

    workers = 1
    host = "here"

    def __hash__(self):
        return 1


class Sent:
    """What Ray gives for a call: a result that is to come."""

    def __init__(self):
        self.result = Future()

    def future(self):
        return self.result


@pytest.fixture
def handing():
    made = dispatch.Dispatch(Silent(), None, None, print)
    made._under_way[Worker()] = []
    yield made
    made._thread.shutdown()


def test_a_job_that_cannot_be_sent_is_answered_with_why_and_the_next_one_is_sent(handing):
    def full(member):
        raise MemoryError("the store is full")

    refused = handing.do(full)
    assert isinstance(refused.exception(0), MemoryError)
    sent = Sent()
    answer = handing.do(lambda member: sent)
    sent.result.set_result("verdict")
    assert answer.result(5) == "verdict"


def test_where_ray_does_not_answer_any_more_all_jobs_end_with_why(handing, monkeypatch):
    monkeypatch.setattr(dispatch, "_DESERTED_SECONDS", -1.0)
    answers = [handing.do(lambda member: Sent()) for _ in range(5)]
    handing._look()
    for answer in answers:
        assert isinstance(answer.exception(0), RunFailed)
        assert "the connection to the cluster is lost" in str(answer.exception(0))
