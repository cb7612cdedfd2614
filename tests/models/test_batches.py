"""Answers by batches, of OpenAI and Anthropic, against real servers on loopback."""

import asyncio
import logging
from contextlib import aclosing
from pathlib import Path

import pytest
from batch_apis import BATCH_APIS, DRAWN, KEY, OTHER, PROMPT, Batch, BatchApi, Provider, text_of
from stub_server import Reply, StubServer

from evalplus_run.models.batch_notes import BatchNotes
from evalplus_run.models.batches import ROUNDS
from evalplus_run.records import Completion, Request, RunFailed, Sampling, UserError


@pytest.fixture(params=BATCH_APIS, ids=lambda api: api.kind)
def api(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> BatchApi:
    monkeypatch.setenv(request.param.variable, KEY)
    return request.param


@pytest.fixture
def provider(api: BatchApi, stub: StubServer) -> Provider:
    provider = api.provider()
    stub.script = provider
    return provider


@pytest.fixture
def notes(tmp_path: Path) -> BatchNotes:
    return BatchNotes(tmp_path / "batches.json")


only_openai, only_anthropic = (
    pytest.mark.parametrize("api", [api], ids=[api.kind], indirect=True) for api in BATCH_APIS
)


async def test_all_answers_of_all_prompts_come_by_one_batch(api, provider, stub, notes) -> None:
    found = await api.ask(stub, notes, prompts=(PROMPT, OTHER))
    assert sorted((each.task_id, each.index) for each in found) == [
        (task_id, index) for task_id in ("HumanEval/0", "HumanEval/1") for index in (0, 1, 2)
    ]
    assert {each.text[:17] for each in found} == {"answer to write f", "answer to write g"}
    assert {(each.prompt_tokens, each.completion_tokens) for each in found} == {(7, 3)}
    assert provider.steps.count("create") == len(provider.batches) == 1
    assert notes.read() == ()


async def test_a_batch_asks_what_the_direct_way_asks_and_reads_the_same_answers(api, provider, stub, notes) -> None:
    batched = await api.ask(stub, notes)
    direct = await api.ask(stub, notes, batch=False)
    assert sorted(provider.bodies, key=text_of) == sorted(provider.direct, key=text_of)
    assert {(each.index, each.text) for each in batched} == {(each.index, each.text) for each in direct}


async def test_as_many_batches_are_submitted_as_the_limits_ask_for(api, provider, stub, notes, monkeypatch) -> None:
    office = {"openai": "openai_batches.OpenAIBatches", "anthropic": "anthropic_batches.AnthropicBatches"}[api.kind]
    monkeypatch.setattr(f"evalplus_run.models.{office}.most_rows", 4)
    found = await api.ask(stub, notes, tuple(range(9)))
    assert [len(batch.rows) for batch in provider.batches] == [4, 4, 1]
    assert len(found) == 9
    size = len(str(provider.bodies[0]))
    monkeypatch.setattr(f"evalplus_run.models.{office}.most_bytes", 3 * size)
    await api.ask(stub, notes, tuple(range(4)))
    assert [len(batch.rows) for batch in provider.batches[3:]] == [2, 2]


async def test_a_busy_office_is_asked_again_and_the_batch_submitted_once(api, provider, stub, notes) -> None:
    provider.trouble["create"] = [provider.error(429, "slow down", {"retry-after-ms": "300"})] * 2
    assert len(await api.ask(stub, notes)) == 3
    assert provider.steps.count("create") == 3
    assert len(provider.batches) == 1
    at = [asked.at for asked in stub.asked if asked.method == "POST" and asked.path.endswith("batches")]
    assert at[1] - at[0] >= 0.3


async def test_an_office_that_is_always_busy_is_given_up_on_and_no_note_is_left(api, provider, stub, notes) -> None:
    provider.trouble["create"] = [provider.error(429, "slow down")] * 99
    with pytest.raises(RunFailed, match="slow down"):
        await api.ask(stub, notes)
    assert provider.steps.count("create") == 4
    assert notes.read() == ()


@pytest.mark.parametrize("answer", [Reply(raw=b""), Reply({"oh": "dear"}), Reply({"error": {}}, 500)])
async def test_a_batch_whose_answer_was_lost_is_found_and_not_submitted_again(
    api, provider, stub, notes, answer: Reply
) -> None:
    provider.trouble["create"] = [answer]
    provider.taken = {"create"}
    assert len(await api.ask(stub, notes)) == 3
    assert provider.steps.count("create") == len(provider.batches) == 1
    assert "list" in provider.steps


async def test_a_batch_that_never_arrived_is_submitted_once_it_is_surely_not_there(api, provider, stub, notes) -> None:
    provider.trouble["create"] = [Reply(raw=b"")]
    assert len(await api.ask(stub, notes)) == 3
    assert provider.steps.count("create") == 2
    assert provider.steps.count("list") == 2
    assert len(provider.batches) == 1


async def test_the_batches_of_others_are_not_taken_for_ones_own(api, provider, stub, notes, tmp_path) -> None:
    # As many rows, in the same minute, of the same account; more than a page of them.
    for number in range(3):
        await api.ask(stub, BatchNotes(tmp_path / f"{number}.json"))
    provider.trouble["create"] = [Reply(raw=b"")]
    assert len(await api.ask(stub, notes)) == 3
    assert len(provider.batches) == 4
    provider.trouble["create"] = [Reply(raw=b"")]
    provider.taken = {"create"}
    assert len(await api.ask(stub, notes)) == 3
    assert len(provider.batches) == 5


@only_anthropic
async def test_another_batch_that_may_be_ones_own_is_waited_for_beyond_the_time_of_a_request_and_told_once(
    api, provider, stub, notes, caplog
) -> None:
    other = Batch("msgbatch_other", [{"name": f"x-{number}", "body": {}} for number in range(3)])
    provider.batches.append(other)
    provider.answer = lambda body, number: provider.good("ok")
    provider.trouble["create"] = [Reply(raw=b"")]
    other.looks = -1_000_000
    asking = asyncio.ensure_future(api.ask(stub, notes, timeout_s=1))
    while "list" not in provider.steps:
        await asyncio.sleep(0.001)
    await asyncio.sleep(1.2)
    other.looks = provider.looks
    assert len(await asking) == 3
    assert [batch.rows[0]["name"][:2] == "x-" for batch in provider.batches] == [True, False]
    assert "within 1 s" not in caplog.text
    assert caplog.text.count("waiting for msgbatch_other, which may be a batch of this run") == 1


async def test_an_office_without_a_list_is_no_reason_to_submit_twice(api, provider, stub, notes) -> None:
    provider.trouble["create"] = [Reply(raw=b"")]
    provider.trouble["list"] = [provider.error(405, "no such thing")]
    with pytest.raises(UserError, match="Nobody can tell whether a batch of this run was submitted.*no such thing"):
        await api.ask(stub, notes)
    assert provider.steps.count("create") == 1
    assert len(notes.read()) == 1


async def test_a_server_that_is_gone_for_a_while_does_not_end_the_wait(api, provider, stub, notes) -> None:
    provider.trouble["look"] = [Reply(raw=b""), provider.error(503, "down")] * 6
    provider.trouble["results"] = [Reply(raw=b"HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{"), Reply(raw=b"")]
    assert len(await api.ask(stub, notes)) == 3
    assert len(provider.batches) == 1


async def test_a_server_that_stays_away_ends_the_command_and_the_next_one_picks_the_batch_up(
    api, provider, stub, notes, caplog
) -> None:
    provider.trouble["look"] = [provider.error(503, "down")] * 20
    with pytest.raises(RunFailed, match="503: down"):
        await api.ask(stub, notes)
    assert f"still at the provider: batch {provider.batches[0].id}; the same command again fetches" in caplog.text
    assert len(await api.ask(stub, notes)) == 3
    assert len(provider.batches) == 1
    assert f"picked up: batch {provider.batches[0].id}" in caplog.text
    assert notes.read() == ()


async def test_closing_the_stream_leaves_the_batch_to_the_next_command(api, provider, stub, notes, caplog) -> None:
    provider.looks = 1_000_000
    model = api.model(stub, notes)
    await model.start()
    async with aclosing(model.complete([Request(PROMPT, (0, 1))], DRAWN)) as flight:
        waiting = asyncio.ensure_future(anext(flight))
        while "look" not in provider.steps:
            await asyncio.sleep(0.001)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
    await model.close()
    assert "still at the provider" in caplog.text
    provider.looks = 0
    assert len(await api.ask(stub, notes, (0, 1))) == 2
    assert len(provider.batches) == 1


async def test_what_was_read_of_a_batch_is_not_read_again_and_the_rest_is(api, provider, stub, notes) -> None:
    model = api.model(stub, notes)
    await model.start()
    async with aclosing(model.complete([Request(PROMPT, (0, 1, 2))], DRAWN)) as flight:
        first = await anext(flight)
    await model.close()
    left = tuple({0, 1, 2} - {first.index})
    assert sorted(each.index for each in await api.ask(stub, notes, left)) == sorted(left)
    assert len(provider.batches) == 1
    # Once the command with all samples had them all, nobody looks for the batch any more.
    before = len(stub.asked)
    assert notes.under_way() <= {("HumanEval/0", first.index)}
    await api.ask(stub, notes, ())
    assert len(stub.asked) == before


async def test_what_is_not_wanted_now_stays_to_be_fetched(api, provider, stub, notes) -> None:
    provider.trouble["look"] = [provider.error(401, "no")]
    with pytest.raises(UserError, match=api.variable):
        await api.ask(stub, notes, (0, 1, 2))
    assert [each.index for each in await api.ask(stub, notes, (1,))] == [1]
    assert notes.under_way() == {("HumanEval/0", 0), ("HumanEval/0", 2)}
    # Those that are new are submitted beside.
    assert sorted(each.index for each in await api.ask(stub, notes, (0, 2, 3))) == [0, 2, 3]
    assert [len(batch.rows) for batch in provider.batches] == [3, 1]
    assert notes.read() == ()


async def test_answers_that_a_batch_is_making_are_not_asked_for_directly(api, provider, stub, notes) -> None:
    provider.trouble["look"] = [provider.error(401, "no")]
    with pytest.raises(UserError):
        await api.ask(stub, notes)
    with pytest.raises(UserError, match=rf"{provider.batches[0].id}.*model\.batch=true"):
        await api.ask(stub, notes, batch=False)
    assert provider.direct == []
    assert len(await api.ask(stub, notes, (3,), batch=False)) == 1


async def test_a_batch_that_this_key_does_not_see_is_not_submitted_again(api, provider, stub, notes) -> None:
    provider.trouble["look"] = [provider.error(404, "no such batch")]
    with pytest.raises(UserError, match="no such batch.*give the key that it was submitted with, or remove"):
        await api.ask(stub, notes)
    assert len(await api.ask(stub, notes)) == 3
    assert len(provider.batches) == 1


@pytest.mark.parametrize("ending", ["expired", "missing", "malformed", "unreadable", "failed", "failed without words"])
async def test_rows_without_an_answer_are_asked_for_in_a_further_batch(api, provider, stub, notes, ending: str) -> None:
    broken = {
        "expired": provider.unasked("expired"),
        "missing": "",
        "malformed": '{"custom_id": oh dear',
        "unreadable": {**provider.good("x"), **{"result": {"type": "succeeded", "message": {"content": 5}}}}
        if api.kind == "anthropic"
        else {"response": {"status_code": 200, "body": {"choices": []}}},
        "failed": provider.bad(500, "boom"),
        # Of an integer that Python does not read.
        "failed without words": f'{{"custom_id": "x", "response": {{"status_code": 500, "body": 1{"0" * 5000}}}}}',
    }[ending]

    def answer(body, number):
        return broken if len(provider.batches) == 1 and number else provider.good("ok")

    provider.answer = answer
    found = await api.ask(stub, notes)
    assert sorted((each.index, each.text) for each in found) == [(0, "ok"), (1, "ok"), (2, "ok")]
    assert [len(batch.rows) for batch in provider.batches] == [3, 2]


async def test_rows_that_never_get_an_answer_are_given_up_after_a_bounded_number_of_batches(
    api, provider, stub, notes
) -> None:
    provider.answer = lambda body, number: provider.good("ok") if number == 0 else provider.unasked("expired")
    found: list[Completion] = []
    with pytest.raises(RunFailed, match="2 answers could not be had .*expired"):
        await api.ask_into(found, stub, notes, tuple(range(5)))
    assert len(found) == ROUNDS
    assert [len(batch.rows) for batch in provider.batches] == [5, 4, 3]
    assert notes.read() == ()


@only_openai
async def test_a_key_that_a_provider_repeats_of_a_row_is_taken_out_of_its_words(api, provider, stub, notes) -> None:
    provider.answer = lambda body, number: {"response": None, "error": {"code": "e", "message": f"not for {KEY}"}}
    with pytest.raises(RunFailed, match=r"not for \[key\]") as error:
        await api.ask(stub, notes)
    assert KEY not in str(error.value)


async def test_rows_that_somebody_cancelled_are_not_asked_for_again(api, provider, stub, notes) -> None:
    provider.answer = lambda body, number: provider.unasked("cancelled") if number else provider.good("ok")
    found: list[Completion] = []
    with pytest.raises(RunFailed, match="2 answers could not be had .*cancel"):
        await api.ask_into(found, stub, notes)
    assert len(found) == len(provider.batches) == 1
    assert notes.read() == ()


async def test_a_row_twice_is_read_once(api, provider, stub, notes) -> None:
    lines = provider.lines
    provider.lines = lambda batch: [*lines(batch), *lines(batch)]
    assert len(await api.ask(stub, notes)) == 3


async def test_rows_of_nobody_are_no_answers(api, provider, stub, notes) -> None:
    lines = provider.lines
    names = ("x", "", "x-0", "-0", "0123456789abcdef-99")
    provider.lines = lambda batch: [
        *(line.replace(batch.rows[0]["name"].encode(), name.encode()) for name in names for line in lines(batch)[:1]),
        *lines(batch),
    ]
    assert len(await api.ask(stub, notes)) == 3


async def test_no_content_is_an_empty_answer_with_one_warning(api, provider, stub, notes, caplog) -> None:
    provider.answer = lambda body, number: provider.good(None, finish="length")
    with caplog.at_level(logging.WARNING):
        found = await api.ask(stub, notes)
    assert {(each.text, each.finish_reason) for each in found} == {("", "length")}
    assert sum("raise sampling.max_tokens" in message for message in caplog.messages) == 1


async def test_an_answer_that_a_filter_held_back_is_a_refusal(api, provider, stub, notes) -> None:
    provider.answer = lambda body, number: provider.bad(400, "Output blocked by content filtering policy")
    found = await api.ask(stub, notes)
    assert [(each.text, each.finish_reason) for each in found] == [("", "refusal")] * 3
    assert len(provider.batches) == 1


async def test_a_refused_row_is_told_after_the_others(api, provider, stub, notes) -> None:
    provider.answer = lambda body, number: provider.good("ok") if number else provider.bad(400, "prompt is too long")
    found: list[Completion] = []
    with pytest.raises(RunFailed, match="1 answer could not be had .*prompt is too long"):
        await api.ask_into(found, stub, notes)
    assert len(found) == 2
    assert len(provider.batches) == 1


@pytest.mark.parametrize("status", [400, 401, 404])
async def test_what_is_refused_to_all_stops_in_the_providers_words_and_without_the_key(
    api, provider, stub, notes, caplog, status: int
) -> None:
    provider.answer = lambda body, number: provider.bad(status, f"not for {KEY}")
    with pytest.raises(UserError, match=rf"\({status}\): not for \[key\]") as error:
        await api.ask(stub, notes)
    assert KEY not in str(error.value)
    assert len(provider.batches) == 1
    assert notes.read() == ()
    assert "still at the provider" not in caplog.text


async def test_a_key_that_is_refused_stops_at_once_and_names_the_variable(api, provider, stub, notes) -> None:
    step = "upload" if api.kind == "openai" else "create"
    provider.trouble[step] = [provider.error(401, f"wrong key {KEY}")] * 9
    with pytest.raises(UserError, match=api.variable) as error:
        await api.ask(stub, notes)
    assert KEY not in str(error.value)
    assert provider.steps == [step]


async def test_a_refused_parameter_is_left_out_of_a_further_batch_and_told(api, provider, stub, notes) -> None:
    def answer(body, number):
        if "temperature" in body:
            return provider.bad(400, "`temperature` is deprecated for this model.")
        return provider.good("ok")

    provider.answer = answer
    model = api.model(stub, notes)
    await model.start()
    found = [each async for each in model.complete([Request(PROMPT, (0, 1, 2))], DRAWN)]
    await model.close()
    assert len(found) == 3
    assert ["temperature" in body for body in provider.bodies] == [True] * 3 + [False] * 3
    assert "deprecated" in model.versions()["parameter temperature"]


async def test_what_a_batch_was_sent_without_is_known_to_the_command_that_picks_it_up(
    api, provider, stub, notes
) -> None:
    def answer(body, number):
        if "temperature" not in body:
            return provider.good("ok")
        # The next batch is made without, and the command ends while it waits for that.
        provider.looks = 1_000_000
        return provider.bad(400, "`temperature` is deprecated")

    provider.answer = answer
    model = api.model(stub, notes)
    await model.start()
    async with aclosing(model.complete([Request(PROMPT, (0, 1))], DRAWN)) as flight:
        asking = asyncio.ensure_future(anext(flight))
        while len(provider.batches) < 2 or not provider.batches[1].looks:
            await asyncio.sleep(0.001)
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
    await model.close()
    provider.looks = 0
    again = api.model(stub, notes)
    await again.start()
    found = [each async for each in again.complete([Request(PROMPT, (0, 1))], DRAWN)]
    await again.close()
    assert len(found) == 2
    assert len(provider.batches) == 2
    assert "deprecated" in again.versions()["parameter temperature"]


async def test_how_far_a_batch_is_is_told_where_the_provider_tells(api, provider, stub, notes, caplog) -> None:
    provider.looks = 3
    with caplog.at_level(logging.WARNING):
        await api.ask(stub, notes)
    batch = provider.batches[0].id
    told = [message for message in caplog.messages if batch in message]
    # Anthropic counts only once all are done.
    progress = [f"batch {batch}: {done} of 3 requests done" for done in (0, 1, 2)] * (api.kind == "openai")
    assert told == [f"submitted: batch {batch}, of 3 requests", *progress]


async def test_a_note_that_cannot_be_read_is_not_passed_over(api, provider, stub, notes) -> None:
    notes.path.write_text("[{]")
    with pytest.raises(UserError, match=r"batches\.json is not readable .*mend it, or remove"):
        await api.ask(stub, notes)
    assert stub.asked == []


async def test_no_key_lies_in_the_notes(api, provider, stub, notes) -> None:
    provider.trouble["look"] = [provider.error(401, f"no {KEY}")]
    with pytest.raises(UserError):
        await api.ask(stub, notes)
    assert KEY not in notes.path.read_text()
    assert text_of(provider.bodies[0]) not in notes.path.read_text()


async def test_greedy_answers_come_by_batches_too(api, provider, stub, notes) -> None:
    (answer,) = await api.ask(stub, notes, (0,), Sampling())
    assert answer.text == "answer to write f"
    assert provider.bodies[0]["temperature"] == 0


@only_openai
async def test_several_answers_in_a_row_of_a_batch_are_shared_out_and_missing_ones_asked_for_again(
    api, provider, stub, notes
) -> None:
    provider.answer = lambda body, number: provider.good("a", others=["b", "c", "d"][: body["n"] - 1 - (number == 0)])
    found = await api.ask(stub, notes, tuple(range(8)), n_per_request=4)
    assert sorted(each.index for each in found) == list(range(8))
    assert [[row["body"]["n"] for row in batch.rows] for batch in provider.batches] == [[4, 4], [1]]


@only_openai
async def test_a_server_whose_batches_take_no_n_is_asked_for_the_answers_in_a_row_each(
    api, provider, stub, notes
) -> None:
    provider.answer = lambda body, number: (
        provider.bad(400, "only n = 1 is supported") if "n" in body else provider.good("ok")
    )
    found = await api.ask(stub, notes, tuple(range(8)), n_per_request=4)
    assert sorted(each.index for each in found) == list(range(8))
    assert [len(batch.rows) for batch in provider.batches] == [2, 8]


@only_openai
@pytest.mark.parametrize(
    ("error", "told", "batches"),
    [
        ({"code": "invalid_json_line", "message": "This line is not parseable", "line": 1}, "not parseable", 1),
        ({"code": "model_not_found", "message": "no such model", "param": "model"}, "no such model", 1),
        ({"code": "token_limit_exceeded", "message": "Enqueued token limit reached"}, "token limit reached", ROUNDS),
        ({"code": None, "message": None}, "the batch batch_0 failed", 1),
    ],
)
async def test_a_file_that_openai_does_not_accept_is_told_in_its_words(
    api, provider, stub, notes, error, told, batches
) -> None:
    provider.failed = error
    with pytest.raises((UserError, RunFailed), match=told):
        await api.ask(stub, notes)
    assert len(provider.batches) == batches
    assert notes.read() == ()
