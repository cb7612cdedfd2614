import pytest
import yaml

from evalplus_run.records import Outcome
from evalplus_run.report.model_card import as_model_card
from evalplus_run.report.published import Published


def card(*summaries, source=""):
    text = as_model_card(summaries, source)
    opening, block, after = text.split("---\n")
    assert (opening, after) == ("", "")
    return yaml.safe_load(block)["model-index"]


def test_a_card_holds_task_benchmark_scores_and_source(make_sample, make_summary):
    samples = [make_sample(f"T/{task}", plus=Outcome.PASS if task < 3 else Outcome.WRONG) for task in range(4)]
    summary = make_summary(*samples, model="lab/m", dataset="humaneval_plus", version="v0.1.10")
    (entry,) = card(summary, source="https://example.org/report.html")
    assert entry["name"] == "lab/m"
    (result,) = entry["results"]
    assert result["task"]["type"] == "text-generation"
    assert result["dataset"]["type"] == "evalplus/humanevalplus"
    assert result["dataset"]["args"]["revision"] == "v0.1.10"
    assert result["source"] == {"name": "evalplus-run", "url": "https://example.org/report.html"}
    values = {metric["name"]: metric["value"] for metric in result["metrics"]}
    assert values == {"pass@1 (base, evalplus)": 1.0, "pass@1 (base + plus, evalplus)": 0.75}
    assert all(m["args"]["low"] <= m["value"] <= m["args"]["high"] for m in result["metrics"])


def test_runs_of_one_model_stand_together(make_sample, make_summary):
    names = ["a", "b", "a"]
    found = card(*[make_summary(make_sample(), model=name) for name in names])
    assert [(entry["name"], len(entry["results"])) for entry in found] == [("a", 2), ("b", 1)]


@pytest.mark.parametrize(
    "name",
    [
        "no",
        "1e3",
        "a: b # c",
        "- x",
        "'\"",
        "&a *b !c %d @e `f",
        "{{ x }}",
        "---",
        "x" * 500,
        "é漢",
        "null",
        "2026-01-01",
    ],
)
def test_any_name_is_read_back_as_it_was(make_sample, make_summary, name):
    (entry,) = card(make_summary(make_sample(), model=name, sampling=name))
    assert entry["name"] == name
    assert entry["results"][0]["metrics"][0]["args"]["sampling"] == name


def test_a_name_cannot_add_members_or_end_the_block(make_sample, make_summary):
    (entry,) = card(make_summary(make_sample(), model="x\n---\nmodel-index: evil\n\x1b[2J"))
    assert entry["name"].startswith("x --- model-index: evil")
    assert set(entry) == {"name", "results"}


def test_an_estimate_that_does_not_exist_is_left_out(make_sample, make_summary):
    from evalplus_run.metrics.score import score

    samples = [make_sample("T/0"), make_sample("T/0", 1), make_sample("T/1")]
    scores = score([sample.verdict for sample in samples], tasks_in_dataset=2, ks=[1, 2])
    (entry,) = card(make_summary(*samples, scores=scores))
    assert {metric["type"] for metric in entry["results"][0]["metrics"]} == {"pass@1"}


def test_the_hubs_own_library_reads_the_card(make_sample, make_summary):
    hub = pytest.importorskip("huggingface_hub", reason="huggingface_hub is not installed")
    summary = make_summary(make_sample(), model="lab/m", dataset="mbpp_plus")
    data = hub.ModelCard(as_model_card([summary], "https://example.org") + "\nText.\n").data
    assert [(one.dataset_type, one.metric_type, one.metric_value) for one in data.eval_results] == [
        ("evalplus/mbppplus", "pass@1", 1.0)
    ] * 2


def test_what_was_published_stands_beside_the_score(make_sample, make_summary):
    (entry,) = card(make_summary(make_sample(), published=Published(source="a", plus=57.3)))
    base, plus = (metric["args"] for metric in entry["results"][0]["metrics"])
    assert plus["published"] == 0.573
    assert "published" not in base
