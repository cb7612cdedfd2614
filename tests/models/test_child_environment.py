"""What a child gets to see."""

import pytest

from evalplus_run.models.environment import without_secrets


def test_no_key_reaches_a_child(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "HF_TOKEN", "aws_secret_access", "DB_PASSWORD"):
        monkeypatch.setenv(name, "hidden")
    monkeypatch.setenv("PIP_INDEX_URL", "seen")
    child = without_secrets()
    assert "hidden" not in child.values()
    assert child["PIP_INDEX_URL"] == "seen"
