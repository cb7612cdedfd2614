"""What a child gets to see, and where a key is named."""

import pytest

from evalplus_run.models.environment import without_secrets
from evalplus_run.models.registry import SETTINGS
from evalplus_run.records import UserError


def test_no_key_reaches_a_child(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "HF_TOKEN", "aws_secret_access", "DB_PASSWORD", "PGPASS", "MY_AUTH"):
        monkeypatch.setenv(name, "hidden")
    monkeypatch.setenv("PIP_INDEX_URL", "seen")
    child = without_secrets()
    assert "hidden" not in child.values()
    assert child["PIP_INDEX_URL"] == "seen"


@pytest.mark.parametrize("kind", ["openai", "anthropic", "google"])
@pytest.mark.parametrize("key", ["sk-secret-0123456789", "secret=1", "a secret"])
def test_a_key_in_place_of_its_variables_name_is_refused_and_not_repeated(kind: str, key: str) -> None:
    with pytest.raises(UserError, match="no name of an environment variable") as error:
        SETTINGS[kind](api_key_env=key)
    assert key not in str(error.value)
