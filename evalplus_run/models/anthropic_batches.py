"""Where Anthropic takes batches: all requests in one, and the results once all are done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import msgspec

from evalplus_run import json_text
from evalplus_run.models.anthropic_errors import in_our_words, refusal
from evalplus_run.models.batch_notes import Note
from evalplus_run.models.batch_office import CLOCKS_DIFFER, PAGE, Look, Result, Undecided
from evalplus_run.models.reading import read_as

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

_PATH = "/v1/messages/batches"
_STATUS: Mapping[str, int] = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
}
"""What a direct answer with this error has for a status."""


class _Counts(msgspec.Struct):
    processing: int = 0
    succeeded: int = 0
    errored: int = 0
    canceled: int = 0
    expired: int = 0

    @property
    def done(self) -> int:
        return self.succeeded + self.errored + self.canceled + self.expired

    @property
    def all(self) -> int:
        return self.processing + self.done


class _Batch(msgspec.Struct):
    id: str
    created_at: datetime
    processing_status: str = ""
    request_counts: _Counts = msgspec.field(default_factory=_Counts)

    @property
    def has_ended(self) -> bool:
        return self.processing_status == "ended"


class _Page(msgspec.Struct):
    data: list[_Batch]
    has_more: bool = False


class _Told(msgspec.Struct):
    type: str = ""
    message: str = ""


class _Error(msgspec.Struct):
    error: _Told = msgspec.field(default_factory=_Told)


class _Outcome(msgspec.Struct):
    type: str
    message: msgspec.Raw = msgspec.Raw(b"null")
    error: _Error = msgspec.field(default_factory=_Error)


class _Row(msgspec.Struct):
    custom_id: str
    result: _Outcome


_BATCH = msgspec.json.Decoder(_Batch)
_PAGES = msgspec.json.Decoder(_Page)
_ROW = msgspec.json.Decoder(_Row)


class AnthropicBatches:
    """A batch is known again by its rows' names, which can be read once it has ended."""

    most_rows = 100_000
    most_bytes = 250_000_000
    """256 MB, of which the request around the rows takes some."""

    def __init__(self, client: AsyncAnthropic) -> None:
        self._client = client

    def line(self, name: str, body: Mapping[str, Any]) -> bytes:
        """A request by its name and its body."""
        return json_text.encode({"custom_id": name, "params": body})

    async def deposit(self, key: str, lines: Sequence[bytes]) -> str:
        """The rows travel with the batch."""
        return ""

    async def create(self, note: Note, lines: Sequence[bytes]) -> str:
        """To be done within a day, the only span there is."""
        rows = b'{"requests": [' + b",".join(lines) + b"]}"
        return read_as(await self._post(rows), _BATCH).id

    async def find(self, note: Note, others: frozenset[str]) -> str:
        """By the rows' names, of those with as many rows, submitted since, that have ended; the newest come first."""
        since = note.begun - CLOCKS_DIFFER
        after, undecided = "", ""
        while True:
            page = read_as(await self._get("", {"limit": PAGE} | ({"after_id": after} if after else {})), _PAGES)
            recent = [batch for batch in page.data if batch.created_at.timestamp() >= since]
            for batch in recent:
                if batch.id in others or batch.request_counts.all != len(note.rows):
                    continue
                if not batch.has_ended:
                    undecided = batch.id
                elif any(note.row_of(result.name) for result in await self._results(batch.id)):
                    return batch.id
            if not page.has_more or not page.data or len(recent) < len(page.data):
                break
            after = page.data[-1].id
        if undecided:
            raise Undecided(undecided)
        return ""

    async def look(self, batch_id: str) -> Look:
        """A state that is not known is taken for one on the way; rows are counted at the end only."""
        batch = read_as(await self._get(f"/{batch_id}"), _BATCH)
        return Look(batch_id, batch.has_ended, batch.request_counts.done or None)

    async def results(self, look: Look) -> Sequence[Result]:
        """All in one."""
        return await self._results(look.batch_id)

    async def _results(self, batch_id: str) -> list[Result]:
        lines = (await self._get(f"/{batch_id}/results")).splitlines()
        return [result for line in lines if (result := _result(line))]

    async def _get(self, path: str, query: Mapping[str, Any] | None = None) -> bytes:
        import httpx2

        with in_our_words():
            response = await self._client.get(
                _PATH + path, cast_to=httpx2.Response, options={"params": dict(query or {})}
            )
        content: bytes = response.content
        return content

    async def _post(self, body: bytes) -> bytes:
        import httpx2

        with in_our_words():
            response = await self._client.post(
                _PATH, cast_to=httpx2.Response, content=body, options={"headers": {"content-type": "application/json"}}
            )
        content: bytes = response.content
        return content


def _result(line: bytes) -> Result | None:
    try:
        row = json_text.decode_as(line, _ROW)
    except ValueError:
        return None
    outcome = row.result
    if outcome.type == "succeeded":
        return Result(row.custom_id, response=bytes(outcome.message))
    if outcome.type == "errored":
        told = outcome.error.error
        return Result(row.custom_id, refusal=refusal(_STATUS.get(told.type, 500), told.message or told.type))
    return Result(row.custom_id, ending=outcome.type, cancelled=outcome.type == "canceled")
