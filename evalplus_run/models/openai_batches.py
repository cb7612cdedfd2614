"""Where OpenAI, and servers that speak its API, take batches: a file of requests, then a batch of that file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from evalplus_run import json_text
from evalplus_run.models.asking import Refused
from evalplus_run.models.batch_notes import Note
from evalplus_run.models.batch_office import CLOCKS_DIFFER, PAGE, Look, Result
from evalplus_run.models.compatible import Endpoint, in_our_words, refusal
from evalplus_run.models.reading import read_as

if TYPE_CHECKING:
    from openai import AsyncOpenAI

_PATHS: Mapping[Endpoint, str] = {"chat": "/v1/chat/completions", "completions": "/v1/completions"}
_ENDED = ("completed", "failed", "expired", "cancelled")


class _Counts(msgspec.Struct):
    completed: int = 0
    failed: int = 0


class _Error(msgspec.Struct):
    code: str | None = None
    message: str | None = None
    param: str | None = None


class _Errors(msgspec.Struct):
    data: list[_Error] | None = None


class _Batch(msgspec.Struct):
    id: str
    status: str = ""
    created_at: float = 0
    input_file_id: str = ""
    output_file_id: str | None = None
    error_file_id: str | None = None
    request_counts: _Counts | None = None
    errors: _Errors | None = None

    def refusal(self) -> Refused | None:
        """That of the whole file; it was read, or refused, before any request of it was made."""
        if self.status != "failed":
            return None
        errors = (self.errors.data if self.errors else None) or [_Error()]
        found = refusal(400, msgspec.to_builtins(errors[0]), otherwise=f"the batch {self.id} failed")
        # So much may be waiting at once: others must end first.
        return Refused(429, found.words) if errors[0].code == "token_limit_exceeded" else found


class _Page(msgspec.Struct):
    data: list[_Batch]
    has_more: bool = False


class _File(msgspec.Struct):
    id: str


class _Response(msgspec.Struct):
    status_code: int = 0
    body: msgspec.Raw = msgspec.Raw(b"null")


class _Row(msgspec.Struct):
    custom_id: str
    response: _Response | None = None
    error: _Error | None = None


_BATCH = msgspec.json.Decoder(_Batch)
_PAGES = msgspec.json.Decoder(_Page)
_FILE = msgspec.json.Decoder(_File)
_ROW = msgspec.json.Decoder(_Row)


class OpenAIBatches:
    """A batch is known again by its file, which no other batch has."""

    most_rows = 50_000
    most_bytes = 200_000_000

    def __init__(self, client: AsyncOpenAI, endpoint: Endpoint) -> None:
        self._client = client
        self._path = _PATHS[endpoint]

    def line(self, name: str, body: Mapping[str, Any]) -> bytes:
        """A request by its name, its path and its body."""
        return json_text.encode({"custom_id": name, "method": "POST", "url": self._path, "body": body})

    async def deposit(self, key: str, lines: Sequence[bytes]) -> str:
        """The file of rows; brought twice, the first is never used."""
        file = (f"evalplus-run-{key}.jsonl", b"\n".join(lines) + b"\n")
        with in_our_words():
            response = await self._client.files.with_raw_response.create(file=file, purpose="batch")
        return read_as(response.content, _FILE).id

    async def create(self, note: Note, lines: Sequence[bytes]) -> str:
        """To be done within a day, the only span there is."""
        with in_our_words():
            response = await self._client.batches.with_raw_response.create(
                completion_window="24h",
                endpoint=self._path,  # type: ignore[arg-type]
                input_file_id=note.file_id,
                metadata={"evalplus_run": note.key},
            )
        return read_as(response.content, _BATCH).id

    async def find(self, note: Note, others: frozenset[str]) -> str:
        """The newest come first."""
        after = ""
        while True:
            with in_our_words():
                query = {"limit": PAGE} | ({"after": after} if after else {})
                response = await self._client.batches.with_raw_response.list(extra_query=query)
            page = read_as(response.content, _PAGES)
            for batch in page.data:
                if batch.input_file_id == note.file_id:
                    return batch.id
            if not page.data or not page.has_more or page.data[-1].created_at < note.begun - CLOCKS_DIFFER:
                return ""
            after = page.data[-1].id

    async def look(self, batch_id: str) -> Look:
        """A state that is not known is taken for one on the way."""
        with in_our_words():
            response = await self._client.batches.with_raw_response.retrieve(batch_id)
        batch = read_as(response.content, _BATCH)
        counts = batch.request_counts
        return Look(
            batch_id,
            batch.status in _ENDED,
            counts.completed + counts.failed if counts else None,
            batch.refusal(),
            tuple(filter(None, (batch.output_file_id, batch.error_file_id))),
        )

    async def results(self, look: Look) -> Sequence[Result]:
        """From the file of answers and that of errors; either may be missing."""
        results = []
        for file in look.files:
            with in_our_words():
                response = await self._client.files.with_raw_response.content(file)
            results += [result for line in response.content.splitlines() if (result := _result(line))]
        return results


def _result(line: bytes) -> Result | None:
    try:
        row = json_text.decode_as(line, _ROW)
    except ValueError:
        return None
    response, error = row.response, row.error
    if response and response.status_code < 400:
        return Result(row.custom_id, response=bytes(response.body))
    if response and response.status_code:
        return Result(row.custom_id, refusal=_refusal(response))
    code = (error and error.code) or "no answer"
    words = (error and error.message) or code
    return Result(row.custom_id, ending=words, cancelled="cancel" in code)


def _refusal(response: _Response) -> Refused:
    try:
        body = json_text.decode(bytes(response.body))
    except ValueError:
        body = None
    return refusal(response.status_code, body.get("error", body) if isinstance(body, dict) else None)
