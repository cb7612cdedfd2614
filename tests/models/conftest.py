from collections.abc import AsyncIterator

import pytest
from openai_asking import KEY
from stub_server import StubServer


@pytest.fixture
async def stub() -> AsyncIterator[StubServer]:
    """A real server on loopback; a test scripts its answers."""
    server = StubServer()
    async for running in server.run():
        yield running


@pytest.fixture
def openai_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key in the environment."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
