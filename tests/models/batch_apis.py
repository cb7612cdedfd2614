"""The batches of OpenAI and Anthropic as little servers speak them, each with the model that asks there."""

import json
import re
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from stub_server import Asked, Reply, StubServer

from evalplus_run.models.anthropic import Anthropic
from evalplus_run.models.batch_desk import Pauses
from evalplus_run.models.batch_notes import BatchNotes
from evalplus_run.models.openai import OpenAI
from evalplus_run.models.registry import SETTINGS
from evalplus_run.models.retry import Patience
from evalplus_run.records import Completion, Message, Prompt, Request, Sampling

KEY = "secret-0123456789abcdef"
QUICK = Patience(attempts=4, attempts_unreached=2, first_wait=0.001, longest_wait=0.002)
SHORT = Pauses(first=0.001, longest=0.002, settling=0.2)
PROMPT = Prompt("HumanEval/0", messages=(Message("system", "be brief"), Message("user", "write f")))
OTHER = Prompt("HumanEval/1", messages=(Message("user", "write g"),))
DRAWN = Sampling(temperature=0.8, seed=5)

Row = dict[str, Any]


@dataclass
class Batch:
    """One that was submitted."""

    id: str
    rows: list[Row]
    """As they were given: a name and a body each."""
    file: str = ""
    created: float = field(default_factory=time.time)
    looks: int = 0
    names: list[str] = field(default_factory=list)


class Provider:
    """Makes batches; `answer` says what becomes of a row, by its body and its number in its batch.

    A batch ends at the look after `looks`, be it in a list. What `trouble` holds for a step comes in place of the
    answer, or, where `taken` names that step, after the request was taken all the same: a reply, or None to hang.
    """

    def __init__(self) -> None:
        self.batches: list[Batch] = []
        self.files: dict[str, bytes] = {}
        self.steps: list[str] = []
        self.trouble: dict[str, list[Reply | None]] = defaultdict(list)
        self.taken: set[str] = set()
        self.answer: Callable[[Any, int], Row | str] = lambda body, number: self.good(f"answer to {text_of(body)}")
        self.looks = 1
        self.failed: dict[str, Any] = {}
        self.direct: list[Any] = []

    @property
    def bodies(self) -> list[Any]:
        """Of all requests that are paid for."""
        return [row["body"] for batch in self.batches for row in batch.rows]

    def __call__(self, asked: Asked, number: int) -> Reply | None:
        """The script of a `StubServer`."""
        step, serve = self.route(asked)
        is_troubled = bool(self.trouble[step])
        reply = serve() if not is_troubled or step in self.taken else None
        # Who waits for a step finds all done that belongs to it.
        self.steps.append(step)
        return self.trouble[step].pop(0) if is_troubled else reply

    def route(self, asked: Asked) -> tuple[str, Callable[[], Reply]]:
        raise NotImplementedError

    def batch(self, batch_id: str) -> Batch | None:
        return next((batch for batch in self.batches if batch.id == batch_id), None)

    def page(self, asked: Asked, after: str) -> tuple[list[Batch], bool]:
        newest = self.batches[::-1]
        if found := re.search(rf"\b{after}=(\w+)", asked.path):
            newest = newest[[batch.id for batch in newest].index(found[1]) + 1 :]
        for batch in newest[:2]:
            batch.looks += 1
        return newest[:2], len(newest) > 2

    def lines(self, batch: Batch) -> list[bytes]:
        rows = [(row["name"], self.answer(row["body"], number)) for number, row in enumerate(batch.rows)]
        return [
            row.encode() if isinstance(row, str) else json.dumps({"custom_id": name, **row}).encode()
            for name, row in rows
        ]

    def good(self, text: str | None, **more: Any) -> Row:
        raise NotImplementedError

    def bad(self, status: int, words: str) -> Row:
        raise NotImplementedError

    def unasked(self, ending: str) -> Row:
        raise NotImplementedError

    def error(self, status: int, words: str, headers: dict[str, str] | None = None) -> Reply:
        raise NotImplementedError


class OpenAIProvider(Provider):
    def route(self, asked: Asked) -> tuple[str, Callable[[], Reply]]:
        path = asked.path.partition("?")[0].removeprefix("/v1")
        if path == "/files":
            return "upload", lambda: self._upload(asked.body)
        if path == "/batches" and asked.method == "POST":
            return "create", lambda: self._create(asked.body)
        if path == "/batches":
            return "list", lambda: self._list(asked)
        if path.startswith("/batches/"):
            return "look", lambda: self._look(path.rpartition("/")[2])
        if path.endswith("/content"):
            return "results", lambda: Reply(raw=_plain(self.files[path.split("/")[2]]))
        self.direct.append(asked.body)
        return "direct", lambda: Reply(self.answer(asked.body, 0)["response"]["body"])

    def _upload(self, body: bytes) -> Reply:
        content = re.search(rb"\r\n\r\n(\{.*?)\r\n--", body, re.DOTALL)
        assert b'name="purpose"\r\n\r\nbatch\r\n' in body
        self.files[f"file_{len(self.files)}"] = content[1]
        return Reply({"id": f"file_{len(self.files) - 1}", "object": "file"})

    def _create(self, body: Any) -> Reply:
        lines = [json.loads(line) for line in self.files[body["input_file_id"]].splitlines()]
        assert {(line["method"], line["url"]) for line in lines} == {("POST", body["endpoint"])}
        rows = [{"name": line["custom_id"], "body": line["body"]} for line in lines]
        self.batches.append(Batch(f"batch_{len(self.batches)}", rows, body["input_file_id"]))
        return Reply(self._shown(self.batches[-1], "validating"))

    def _list(self, asked: Asked) -> Reply:
        batches, has_more = self.page(asked, "after")
        return Reply({"data": [self._shown(batch, "in_progress") for batch in batches], "has_more": has_more})

    def _look(self, batch_id: str) -> Reply:
        batch = self.batch(batch_id)
        if batch is None:
            return self.error(404, f"No batch found with id '{batch_id}'")
        batch.looks += 1
        if self.failed:
            return Reply({**self._shown(batch, "failed"), "errors": {"data": [self.failed]}})
        if batch.looks <= self.looks:
            return Reply(self._shown(batch, "in_progress"))
        lines = self.lines(batch)
        good = [line for line in lines if b'"status_code": 200' in line or not line.startswith(b"{")]
        files = {"output_file_id": good, "error_file_id": [line for line in lines if line not in good]}
        shown = self._shown(batch, "completed")
        for kind, content in files.items():
            if content:
                self.files[f"{kind}_{batch.id}"] = b"\n".join(content) + b"\n"
                shown[kind] = f"{kind}_{batch.id}"
        return Reply(shown)

    def _shown(self, batch: Batch, status: str) -> dict[str, Any]:
        done = min(len(batch.rows), batch.looks - 1) if status == "in_progress" else len(batch.rows)
        counts = {"total": len(batch.rows), "completed": done, "failed": 0}
        shown = {"id": batch.id, "status": status, "created_at": int(batch.created), "input_file_id": batch.file}
        return {**shown, "request_counts": counts, "errors": None, "output_file_id": None, "error_file_id": None}

    def good(self, text: str | None, **more: Any) -> Row:
        choices = [
            {"index": number, "finish_reason": more.get("finish", "stop"), "message": {"content": each}}
            for number, each in enumerate([text, *more.get("others", ())])
        ]
        body = {"choices": choices, "usage": {"prompt_tokens": 7, "completion_tokens": 3}}
        return {"response": {"status_code": 200, "body": body}, "error": None}

    def bad(self, status: int, words: str) -> Row:
        code = {"code": "content_filter"} if "content filtering" in words else {}
        return {"response": {"status_code": status, "body": {"error": {"message": words, **code}}}, "error": None}

    def unasked(self, ending: str) -> Row:
        return {"response": None, "error": {"code": f"batch_{ending}", "message": f"the batch was {ending}"}}

    def error(self, status: int, words: str, headers: dict[str, str] | None = None) -> Reply:
        return Reply({"error": {"message": words}}, status, headers or {})


_KINDS = {400: "invalid_request_error", 401: "authentication_error", 404: "not_found_error", 500: "api_error"}


class AnthropicProvider(Provider):
    def route(self, asked: Asked) -> tuple[str, Callable[[], Reply]]:
        path = asked.path.partition("?")[0].removeprefix("/v1/messages")
        if path == "/batches" and asked.method == "POST":
            return "create", lambda: self._create(asked.body)
        if path == "/batches":
            return "list", lambda: self._list(asked)
        if path.endswith("/results"):
            batch = self.batch(path.split("/")[2])
            return "results", lambda: Reply(raw=_plain(b"\n".join(self.lines(batch)) + b"\n"))
        if path.startswith("/batches/"):
            return "look", lambda: self._look(path.rpartition("/")[2])
        self.direct.append(asked.body)
        return "direct", lambda: Reply(self.answer(asked.body, 0)["result"]["message"])

    def _create(self, body: Any) -> Reply:
        rows = [{"name": row["custom_id"], "body": row["params"]} for row in body["requests"]]
        assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", row["name"]) for row in rows)
        self.batches.append(Batch(f"msgbatch_{len(self.batches)}", rows))
        return Reply(self._shown(self.batches[-1]))

    def _list(self, asked: Asked) -> Reply:
        batches, has_more = self.page(asked, "after_id")
        return Reply({"data": [self._shown(batch) for batch in batches], "has_more": has_more})

    def _look(self, batch_id: str) -> Reply:
        batch = self.batch(batch_id)
        if batch is None:
            return self.error(404, f"Could not find batch {batch_id}")
        batch.looks += 1
        return Reply(self._shown(batch))

    def _shown(self, batch: Batch) -> dict[str, Any]:
        has_ended = batch.looks > self.looks
        counts = dict.fromkeys(("processing", "succeeded", "errored", "canceled", "expired"), 0)
        counts["succeeded" if has_ended else "processing"] = len(batch.rows)
        created = datetime.fromtimestamp(batch.created, UTC).isoformat().replace("+00:00", "Z")
        status = "ended" if has_ended else "in_progress"
        return {"id": batch.id, "processing_status": status, "created_at": created, "request_counts": counts}

    def good(self, text: str | None, **more: Any) -> Row:
        stop = {"stop": "end_turn", "length": "max_tokens"}[more.get("finish", "stop")]
        content = [{"type": "text", "text": text}] if text else []
        message = {"content": content, "stop_reason": stop, "usage": {"input_tokens": 7, "output_tokens": 3}}
        return {"result": {"type": "succeeded", "message": message}}

    def bad(self, status: int, words: str) -> Row:
        error = {"type": "error", "error": {"type": _KINDS[status], "message": words}}
        return {"result": {"type": "errored", "error": error}}

    def unasked(self, ending: str) -> Row:
        return {"result": {"type": ending.replace("cancelled", "canceled")}}

    def error(self, status: int, words: str, headers: dict[str, str] | None = None) -> Reply:
        return Reply({"type": "error", "error": {"type": "some_error", "message": words}}, status, headers or {})


@dataclass(frozen=True)
class BatchApi:
    """One of the two."""

    kind: str
    name: str
    provider: type[Provider]
    variable: str

    def model(self, stub: StubServer, notes: BatchNotes, **settings: Any) -> Any:
        known = {"name": self.name, "base_url": self.url(stub.url), "batch": True}
        made = SETTINGS[self.kind](**{**known, **settings})
        model = {"openai": OpenAI, "anthropic": Anthropic}[self.kind](made, patience=QUICK, pauses=SHORT)
        model.notes = notes
        return model

    def url(self, url: str) -> str:
        return url if self.kind == "openai" else url.removesuffix("/v1")

    async def ask(
        self,
        stub: StubServer,
        notes: BatchNotes,
        indices: tuple[int, ...] = (0, 1, 2),
        sampling: Sampling = DRAWN,
        prompts: tuple[Prompt, ...] = (PROMPT,),
        **settings: Any,
    ) -> list[Completion]:
        found: list[Completion] = []
        await self.ask_into(found, stub, notes, indices, sampling, prompts, **settings)
        return found

    async def ask_into(
        self,
        found: list[Completion],
        stub: StubServer,
        notes: BatchNotes,
        indices: tuple[int, ...] = (0, 1, 2),
        sampling: Sampling = DRAWN,
        prompts: tuple[Prompt, ...] = (PROMPT,),
        **settings: Any,
    ) -> None:
        model = self.model(stub, notes, **settings)
        await model.start()
        try:
            async for each in model.complete([Request(prompt, indices) for prompt in prompts], sampling):
                found.append(each)  # noqa: PERF401
        finally:
            await model.close()


OPENAI = BatchApi("openai", "m", OpenAIProvider, "OPENAI_API_KEY")
ANTHROPIC = BatchApi("anthropic", "claude-3-5-haiku-20241022", AnthropicProvider, "ANTHROPIC_API_KEY")
BATCH_APIS = (OPENAI, ANTHROPIC)


def text_of(body: Any) -> str:
    """What was asked, with its seed where it has one."""
    return f"{body['messages'][-1]['content']} {body.get('seed', '')}".strip()


def _plain(content: bytes) -> bytes:
    head = f"HTTP/1.1 200 OK\r\ncontent-type: application/octet-stream\r\ncontent-length: {len(content)}\r\n"
    return head.encode() + b"connection: close\r\n\r\n" + content
