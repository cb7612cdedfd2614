from collections.abc import AsyncIterator

import pytest
from stub_server import StubServer


@pytest.fixture
async def stub() -> AsyncIterator[StubServer]:
    """A real server on loopback; a test scripts its answers."""
    server = StubServer()
    async for running in server.run():
        yield running
