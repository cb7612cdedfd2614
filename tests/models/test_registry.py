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
    pytest.importorskip("xllamacpp" if kind == "llama_cpp" else "openai")
    assert build(SETTINGS[kind]()).settings.kind == kind  # type: ignore[attr-defined]


def test_a_missing_extra_is_named_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(UserError, match=r"openai is not installed: pip install 'evalplus-run\[openai\]'"):
        build(SETTINGS["openai"]())


def test_the_registry_loads_no_engine_and_no_client() -> None:
    program = "import evalplus_run.models.registry, sys; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert not {"openai", "tenacity", "xllamacpp", "rich", "asyncio", "evalplus_run.models.openai"} & set(loaded)
