"""Models by name."""

import subprocess
import sys
from typing import get_args, get_type_hints

import pytest

from evalplus_run.models import registry
from evalplus_run.models.registry import SETTINGS, build
from evalplus_run.records import UserError


@pytest.mark.parametrize("kind", SETTINGS)
def test_a_kind_names_itself_in_its_settings(kind: str) -> None:
    assert get_args(get_type_hints(SETTINGS[kind])["kind"]) == (kind,)
    assert SETTINGS[kind]().kind == kind


@pytest.mark.parametrize("kind", SETTINGS)
def test_a_model_is_built_from_its_settings_alone(kind: str) -> None:
    for module in registry._NEEDS.get(kind, ("", ()))[1]:
        pytest.importorskip(module)
    assert build(SETTINGS[kind]()).settings.kind == kind  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("kind", "module"),
    [
        ("openai", "openai"),
        ("anthropic", "anthropic"),
        ("google", "google.genai"),
        ("bedrock", "boto3"),
        ("transformers", "torch"),
        ("vllm", "vllm"),
    ],
)
def test_a_missing_extra_is_named_with_its_remedy(monkeypatch: pytest.MonkeyPatch, kind: str, module: str) -> None:
    monkeypatch.setattr(registry.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(UserError, match=rf"{module} is not installed: pip install 'evalplus-run\[{kind}\]'"):
        build(SETTINGS[kind]())


def test_a_module_of_a_package_that_is_not_there_is_not_installed() -> None:
    assert not registry.is_installed("no_such_package.inside")
    assert registry.is_installed("importlib.util")


def test_the_registry_loads_no_engine_and_no_client() -> None:
    program = "import evalplus_run.models.registry, sys; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert not {"anthropic", "google.genai", "boto3", "httpx2", "torch", "transformers", "vllm"} & set(loaded)
    assert not {"openai", "tenacity", "xllamacpp", "rich", "asyncio", "evalplus_run.models.openai"} & set(loaded)
