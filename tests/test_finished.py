import json

from evalplus_run.finished import finished


def test_a_file_of_verdicts_is_read_once_for_its_scores_its_samples_and_its_page(tmp_path):
    path = tmp_path / "results.jsonl"
    row = {"task_id": "Other/0", "completion": "    return 1\n", "result": "passed", "passed": True}
    path.write_text(json.dumps(row) + "\n")
    run = finished(path)
    scores = run.summary.scores
    path.write_text("no results any more")
    assert [sample.program.task_id for sample in run.samples()] == ["Other/0"]
    assert run.page().summary.scores == run.judged("evalplus").summary.scores == scores
