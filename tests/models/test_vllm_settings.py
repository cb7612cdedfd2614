"""What vLLM is told and what tells its samples apart, without an engine."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from evalplus_run.models.hf_checkpoint import Checkpoint
from evalplus_run.models.settings import VllmSettings
from evalplus_run.models.vllm import Vllm, _for_adapter, _parameters, _seed
from evalplus_run.records import Sampling, UserError


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    folder = tmp_path / "tiny"
    folder.mkdir()
    (folder / "config.json").write_text('{"model_type": "llama"}')
    return folder


@pytest.fixture
def adapter(tmp_path: Path) -> Path:
    folder = tmp_path / "adapter"
    folder.mkdir()
    (folder / "adapter_config.json").write_text('{"r": 20}')
    return folder


def identity(folder: Path, **settings: Any) -> dict[str, str]:
    return dict(Vllm(VllmSettings(path=str(folder), **settings)).identity())


def arguments(folder: Path, **settings: Any) -> dict[str, Any]:
    return dict(Vllm(VllmSettings(path=str(folder), **settings))._arguments(Checkpoint(str(folder), {})))


def test_the_identity_is_known_without_loading_and_follows_the_files(checkpoint: Path) -> None:
    before = identity(checkpoint)
    assert (before["kind"], before["name"], len(before["sha256"])) == ("vllm", "tiny", 64)
    (checkpoint / "config.json").write_text("{}")
    assert identity(checkpoint)["sha256"] != before["sha256"]


@pytest.mark.parametrize(
    "settings",
    [{"dtype": "float32"}, {"quantization": {"quant_method": "fp8"}}, {"engine_args": {"kv_cache_dtype": "fp8"}}],
)
def test_what_moves_the_samples_moves_the_identity(checkpoint: Path, settings: dict[str, Any]) -> None:
    assert identity(checkpoint, **settings) != identity(checkpoint)


def test_an_adapter_moves_the_identity_by_its_content(checkpoint: Path, adapter: Path) -> None:
    one = identity(checkpoint, adapter=str(adapter))
    assert one.keys() - identity(checkpoint).keys() == {"adapter_sha256"}
    (adapter / "adapter_config.json").write_text('{"r": 8}')
    assert identity(checkpoint, adapter=str(adapter)) != one


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("tensor_parallel", 2),
        ("data_parallel", 2),
        ("concurrency", 7),
        ("max_model_len", 99),
        ("gpu_memory_utilization", 0.5),
    ],
)
def test_how_it_is_shared_out_does_not_move_the_identity(checkpoint: Path, key: str, value: float) -> None:
    assert identity(checkpoint, **{key: value}) == identity(checkpoint)


def test_what_is_not_set_is_left_to_the_engine(checkpoint: Path) -> None:
    told = arguments(checkpoint)
    assert (
        not {"quantization", "quantization_config", "max_num_seqs", "gpu_memory_utilization", "enable_lora"}
        & told.keys()
    )
    assert (told["max_model_len"], told["enable_prefix_caching"]) == (-1, True)


def test_what_is_set_is_passed_on_and_further_arguments_win(checkpoint: Path) -> None:
    told = arguments(
        checkpoint,
        quantization={"quant_method": "fp8", "ignore": ["lm_head"]},
        concurrency=7,
        gpu_memory_utilization=0.5,
        max_model_len=99,
        tensor_parallel=2,
        data_parallel=3,
        engine_args={"enable_prefix_caching": False, "enforce_eager": True},
    )
    assert (told["quantization"], told["max_num_seqs"], told["gpu_memory_utilization"]) == ("fp8", 7, 0.5)
    assert told["quantization_config"] == {"ignore": ["lm_head"]}
    assert (told["max_model_len"], told["tensor_parallel_size"], told["data_parallel_size"]) == (99, 2, 3)
    assert (told["enable_prefix_caching"], told["enforce_eager"]) == (False, True)


def test_a_gguf_file_is_named_itself(tmp_path: Path) -> None:
    model = Vllm(VllmSettings(path=str(tmp_path / "a.gguf")))
    assert model._arguments(Checkpoint(str(tmp_path), {"gguf_file": "a.gguf"}))["model"] == str(tmp_path / "a.gguf")


@pytest.mark.parametrize(("rank", "room"), [(1, 8), (8, 8), (20, 32), (512, 512), (900, 900)])
def test_room_is_reserved_for_an_adapters_rank(adapter: Path, rank: int, room: int) -> None:
    (adapter / "adapter_config.json").write_text(json.dumps({"r": rank}))
    assert _for_adapter(adapter) == {"enable_lora": True, "max_lora_rank": room}


@pytest.mark.parametrize("content", ["{", '{"r": "many"}', "[]"])
def test_a_broken_configuration_of_an_adapter_is_named(adapter: Path, content: str) -> None:
    (adapter / "adapter_config.json").write_text(content)
    with pytest.raises(UserError, match=r"adapter_config\.json is no configuration of a LoRA adapter \(.+\)\."):
        _for_adapter(adapter)


def test_every_way_of_sampling_is_told_and_greedy_draws_nothing() -> None:
    sampling = Sampling(temperature=0.8, top_p=0.9, top_k=40, min_p=0.1)
    assert _parameters(sampling) == {"temperature": 0.8, "top_p": 0.9, "top_k": 40, "min_p": 0.1}
    assert _seed(Sampling(), "A/0", 0) is None
    assert len({_seed(sampling, "A/0", index) for index in range(20)}) == 20


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, r"model\.name is empty: name a model of the hub, or set model\.path"),
        ({"path": "missing"}, r"There is no file missing"),
    ],
)
def test_a_checkpoint_that_is_none_is_refused(
    settings: dict[str, str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError, match=message):
        Vllm(VllmSettings(**settings)).identity()


def test_a_folder_that_is_no_adapter_is_refused(checkpoint: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"holds no adapter_config\.json"):
        identity(checkpoint, adapter=str(tmp_path))


FETCH = """
import sys
from evalplus_run.models.hf_checkpoint import content_of, fetch_whole, find_checkpoint
from evalplus_run.models.settings import VllmSettings
settings = VllmSettings(name=sys.argv[1])
print(fetch_whole(find_checkpoint(settings, content_of(settings))).file_or_folder)
"""


@pytest.mark.parametrize("weights", ["model.safetensors", "pytorch_model.bin"])
def test_a_model_of_the_hub_is_handed_over_as_the_folder_of_its_commit(tmp_path: Path, weights: str) -> None:
    pytest.importorskip("huggingface_hub", reason="the extra vllm is not installed")
    commit = "0123456789" * 4
    repository = tmp_path / "models--me--tiny"
    snapshot = repository / "snapshots" / commit
    snapshot.mkdir(parents=True)
    for name in ("config.json", weights):
        (snapshot / name).write_text("{}")
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text(commit)
    environment = {**os.environ, "HF_HUB_CACHE": str(tmp_path), "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", FETCH, "me/tiny"], env=environment, capture_output=True, text=True, check=True
    )
    assert Path(done.stdout.strip()) == snapshot
