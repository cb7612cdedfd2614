"""Which server the OpenAI-compatible model asks, and with which key."""

import pytest
from openai_asking import KEY, PROMPT, QUICK, ask
from stub_server import StubServer

from evalplus_run.models.openai import OpenAI
from evalplus_run.models.settings import OpenAISettings
from evalplus_run.records import Request, Sampling, UserError

pytestmark = pytest.mark.usefixtures("openai_key")


async def test_a_local_server_needs_no_key(stub: StubServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    (answer,), _ = await ask(stub)
    assert answer.text == "x"


async def test_a_proxy_of_the_environment_is_not_asked_for_a_server_on_this_machine(
    stub: StubServer, monkeypatch: pytest.MonkeyPatch, unused_tcp_port: int
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{unused_tcp_port}")
    (answer,), _ = await ask(stub)
    assert answer.text == "x"


async def test_openai_itself_needs_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(UserError, match="OPENAI_API_KEY is not set"):
        await OpenAI(OpenAISettings(name="gpt")).start()


async def test_a_wrong_address_is_told_after_a_few_tries(unused_tcp_port: int) -> None:
    model = OpenAI(OpenAISettings(name="m", base_url=f"http://127.0.0.1:{unused_tcp_port}/v1"), patience=QUICK)
    await model.start()
    with pytest.raises(UserError, match=r"Nothing answers at .*model\.base_url"):
        await anext(model.complete([Request(PROMPT, (0,))], Sampling()))
    await model.close()


@pytest.mark.parametrize("url", ["http://user:pw@host/v1", "https://host/v1?key=abc", "https://host/v1#abc"])
def test_a_secret_in_the_address_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(UserError) as error:
        OpenAI(OpenAISettings(name="m", base_url=url)).identity()
    assert "pw" not in str(error.value)
    assert "abc" not in str(error.value)


def test_the_identity_holds_no_key() -> None:
    model = OpenAI(OpenAISettings(name="m", base_url="http://host/v1/"))
    assert model.identity()["base_url"] == "http://host/v1"
    assert KEY not in str(model.identity())
