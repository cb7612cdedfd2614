"""What the OpenAI-compatible model sends, to a real server on loopback."""

import pytest
from openai_asking import BASE, KEY, PROMPT, QUICK, ask
from stub_server import Reply, StubServer, chat_reply

from evalplus_run.models.answers import sample_seed
from evalplus_run.models.base import Thinking
from evalplus_run.models.openai import OpenAI
from evalplus_run.models.settings import OpenAISettings
from evalplus_run.records import Request, Sampling, UserError

pytestmark = pytest.mark.usefixtures("openai_key")


async def test_a_chat_answer_arrives_with_its_counts_and_its_reasoning_apart(stub: StubServer) -> None:
    stub.script = lambda asked, number: chat_reply("```python\nx\n```", reasoning_content="hm")
    (answer,), _ = await ask(stub)
    assert (answer.text, answer.reasoning, answer.finish_reason) == ("```python\nx\n```", "hm", "stop")
    assert (answer.task_id, answer.index) == ("HumanEval/0", 0)
    assert (answer.prompt_tokens, answer.completion_tokens) == (7, 3)
    assert stub.asked[0].path == "/v1/chat/completions"
    assert stub.asked[0].body == {
        "model": "m",
        "messages": [{"role": "user", "content": "write f"}],
        "max_tokens": 768,
        "temperature": 0.0,
    }
    assert stub.asked[0].headers["authorization"] == f"Bearer {KEY}"


async def test_a_base_model_is_asked_for_a_continuation_and_cut_at_a_stop_string_the_server_ignored(
    stub: StubServer,
) -> None:
    stub.script = lambda asked, number: Reply({"choices": [{"text": "    return 1\ndef g", "finish_reason": "length"}]})
    (answer,), _ = await ask(stub, BASE, endpoint="completions")
    assert (answer.text, answer.finish_reason) == ("    return 1", "stop")
    assert stub.asked[0].path == "/v1/completions"
    assert stub.asked[0].body["prompt"] == "def f():\n"
    assert stub.asked[0].body["stop"] == ["\ndef "]


async def test_every_sample_is_asked_for_with_its_own_seed(stub: StubServer) -> None:
    found, _ = await ask(stub, indices=(3, 8), sampling=Sampling(n=9, temperature=0.8, seed=5))
    assert sorted(each.index for each in found) == [3, 8]
    seeds = {asked.body["seed"] for asked in stub.asked}
    assert seeds == {sample_seed(5, "HumanEval/0", 3), sample_seed(5, "HumanEval/0", 8)}
    assert {asked.body["top_p"] for asked in stub.asked} == {0.95}


async def test_a_family_whose_limit_has_a_newer_name_gets_that_at_once(stub: StubServer) -> None:
    model = OpenAI(OpenAISettings(name="gpt-5.2", base_url=stub.url), patience=QUICK)
    await model.start()
    await anext(model.complete([Request(PROMPT, (0,))], Sampling()))
    await model.close()
    # It thinks by itself, which takes from the same limit.
    assert stub.asked[0].body["max_completion_tokens"] == 768 + 32_768
    assert "max_tokens" not in stub.asked[0].body


async def test_what_the_user_says_is_refused_is_never_sent(stub: StubServer) -> None:
    _, model = await ask(stub, refuses=("temperature", "max_tokens"))
    assert "temperature" not in stub.asked[0].body
    assert stub.asked[0].body["max_completion_tokens"] == 768
    assert model.identity()["refuses"] == "max_tokens temperature"


async def test_thinking_is_passed_on_to_the_servers_template(stub: StubServer) -> None:
    model = OpenAI(OpenAISettings(name="m", base_url=stub.url), patience=QUICK)
    await model.start("off")
    await anext(model.complete([Request(PROMPT, (0,))], Sampling()))
    await model.close()
    assert stub.asked[0].body["chat_template_kwargs"] == {"enable_thinking": False}


async def test_a_stop_string_does_not_end_the_thinking_but_the_answer(stub: StubServer) -> None:
    stub.script = lambda asked, number: chat_reply("the answer END more", reasoning_content="no END yet")
    model = OpenAI(OpenAISettings(name="m", base_url=stub.url), patience=QUICK)
    await model.start("on")
    answer = await anext(model.complete([Request(PROMPT, (0,))], Sampling(stop=("END",))))
    await model.close()
    assert "stop" not in stub.asked[0].body
    assert (answer.text, answer.reasoning) == ("the answer ", "no END yet")


def test_other_room_for_thinking_is_another_run_whatever_is_known_of_the_model() -> None:
    rooms = (1024, 32_768, 65_536)
    models = [OpenAI(OpenAISettings(name="m", base_url="http://host/v1", thinking_tokens=room)) for room in rooms]
    assert len({str(model.identity()) for model in models}) == len(rooms)


async def test_thinking_is_asked_for_by_effort_where_the_server_wants_that(stub: StubServer) -> None:
    model = OpenAI(OpenAISettings(name="m", base_url=stub.url, thinking_by="reasoning_effort"), patience=QUICK)
    await model.start("off")
    await anext(model.complete([Request(PROMPT, (0,))], Sampling()))
    await model.close()
    assert stub.asked[0].body["reasoning_effort"] == "none"
    assert "chat_template_kwargs" not in stub.asked[0].body
    assert model.identity()["thinking_by"] == "reasoning_effort"


@pytest.mark.parametrize(("thinking", "sent"), [("auto", ["END"]), ("off", ["END"]), ("on", None)])
async def test_no_stop_string_ends_the_thinking_and_the_answer_ends_there_all_the_same(
    stub: StubServer, thinking: Thinking, sent: list[str] | None
) -> None:
    stub.script = lambda asked, number: chat_reply("xENDy", "length", reasoning_content="END")
    model = OpenAI(OpenAISettings(name="m", base_url=stub.url), patience=QUICK)
    await model.start(thinking)
    answer = await anext(model.complete([Request(PROMPT, (0,))], Sampling(stop=("END",))))
    await model.close()
    assert (answer.text, answer.reasoning, answer.finish_reason) == ("x", "END", "stop")
    assert stub.asked[0].body.get("stop") == sent


async def test_a_bare_text_for_a_chat_endpoint_is_refused(stub: StubServer) -> None:
    with pytest.raises(UserError, match=r"model\.endpoint=chat does not fit"):
        await ask(stub, BASE)
    assert stub.asked == []
