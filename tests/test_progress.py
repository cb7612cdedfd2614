import io

from rich.console import Console

from evalplus_run.progress import Progress


def lines_of(work, monkeypatch):
    written = io.StringIO()
    progress = Progress()
    progress._console = Console(file=written, width=80)
    with progress.shown():
        work(progress)
    return written.getvalue().splitlines()


def test_without_a_terminal_a_stage_says_its_start_and_its_end(monkeypatch):
    def work(progress):
        stage = progress.stage("judged", 3)
        for _ in range(3):
            stage.advance()

    assert lines_of(work, monkeypatch) == ["judged: 0 of 3", "judged: 3 of 3"]


def test_what_an_earlier_run_did_counts_from_the_start(monkeypatch):
    assert lines_of(lambda progress: progress.stage("sampled", 5, done=2), monkeypatch) == ["sampled: 2 of 5"]


def test_a_long_stage_tells_how_long_it_will_go_on(monkeypatch):
    times = iter([0.0, 20.0, 40.0])
    monkeypatch.setattr("evalplus_run.progress.time.monotonic", lambda: next(times))

    def work(progress):
        stage = progress.stage("judged", 4)
        stage.advance()
        stage.advance()

    assert lines_of(work, monkeypatch)[1:] == ["judged: 1 of 4, about 60 s left", "judged: 2 of 4, about 40 s left"]
