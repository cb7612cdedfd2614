"""What a child gets to see, and where a key is named."""

import pytest

from evalplus_run.models.registry import SETTINGS
from evalplus_run.models.vllm_child import rays_own
from evalplus_run.records import UserError
from evalplus_run.secret import without_secrets


def test_no_key_reaches_a_child(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (
        "OPENAI_API_KEY",
        "HF_TOKEN",
        "aws_secret_access",
        "DB_PASSWORD",
        "PGPASS",
        "MY_AUTH",
        "RAY_AUTH_TOKEN",
        "RAY_AUTH_TOKEN_PATH",
    ):
        monkeypatch.setenv(name, "hidden")
    monkeypatch.setenv("PIP_INDEX_URL", "seen")
    child = without_secrets()
    assert "hidden" not in child.values()
    assert child["PIP_INDEX_URL"] == "seen"


def test_rays_token_reaches_an_engine_that_spreads_over_its_cluster_and_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("RAY_AUTH_TOKEN", "hidden")
    assert rays_own({"distributed_executor_backend": "ray"})["RAY_AUTH_TOKEN"] == "hidden"
    assert rays_own({"distributed_executor_backend": "mp"}) == rays_own({}) == {}


@pytest.mark.parametrize("kind", ["openai", "anthropic", "google"])
@pytest.mark.parametrize("key", ["sk-secret-0123456789", "secret=1", "a secret"])
def test_a_key_in_place_of_its_variables_name_is_refused_and_not_repeated(kind: str, key: str) -> None:
    with pytest.raises(UserError, match="no name of an environment variable") as error:
        SETTINGS[kind](api_key_env=key)
    assert key not in str(error.value)
