"""The APIs with a library of their own, each as its little server speaks and as its model is made."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from stub_server import Asked, Reply, StubServer

from evalplus_run.models.hosted import Hosted
from evalplus_run.models.registry import SETTINGS
from evalplus_run.models.retry import Patience
from evalplus_run.records import Completion, Message, Prompt, Request, Sampling

KEY = "secret-0123456789abcdef"
QUICK = Patience(attempts=6, attempts_unreached=3, first_wait=0.001, longest_wait=0.002)
PROMPT = Prompt("HumanEval/0", messages=(Message("system", "be brief"), Message("user", "write f")))
BEGUN = Prompt("HumanEval/0", messages=(Message("user", "write f"),), prefill="Here:\n```python\n", stop=("\n```\n",))


@dataclass(frozen=True)
class Api:
    """One of them; its replies hold 7 tokens of prompt and 3 of answer."""

    kind: str
    module: str
    name: str
    """A model that takes temperature and does not think by itself."""
    environment: dict[str, str]
    reply: Callable[[str, str, str], Reply]
    """An answer's text, its thinking, and why it ended, in the API's word."""
    error: Callable[[int, str], Reply]
    finishes: dict[str, str]
    """The API's word for an end, to ours."""
    wrong_key: Callable[[str], Reply]
    parameters: Callable[[Asked], dict[str, Any]] = lambda asked: asked.body
    settings: dict[str, Any] = field(default_factory=dict)

    async def ask(
        self,
        stub: StubServer,
        prompt: Prompt = PROMPT,
        indices: tuple[int, ...] = (0,),
        sampling: Sampling = Sampling(),  # noqa: B008
        thinking: str = "auto",
        **settings: Any,
    ) -> tuple[list[Completion], Hosted[Any]]:
        model = self.model(stub, **settings)
        await model.start(thinking)  # type: ignore[arg-type]
        try:
            found = [each async for each in model.complete([Request(prompt, indices)], sampling)]
        finally:
            await model.close()
        return found, model

    def model(self, stub: StubServer, **settings: Any) -> Hosted[Any]:
        known = {"name": self.name, "base_url": stub.url.removesuffix("/v1"), **self.settings}
        made = SETTINGS[self.kind](**{**known, **settings})
        classes = {"anthropic": "Anthropic", "google": "Google", "bedrock": "Bedrock"}
        implementation = importlib.import_module(f"evalplus_run.models.{self.kind}")
        return getattr(implementation, classes[self.kind])(made, patience=QUICK)


def _claude(text: str, thinking: str = "", stop: str = "end_turn") -> Reply:
    thought = [{"type": "thinking", "thinking": thinking, "signature": "x"}] if thinking else []
    said = [{"type": "text", "text": text}] if text else []
    usage = {"input_tokens": 7, "output_tokens": 3}
    return Reply(
        {"type": "message", "role": "assistant", "content": thought + said, "stop_reason": stop, "usage": usage}
    )


def _claude_error(status: int, message: str) -> Reply:
    return Reply({"type": "error", "error": {"type": "some_error", "message": message}}, status)


def _gemini(text: str, thinking: str = "", stop: str = "STOP") -> Reply:
    thought = [{"text": thinking, "thought": True}] if thinking else []
    parts = thought + ([{"text": text}] if text else [])
    content = {"role": "model", **({"parts": parts} if parts else {})}
    usage = {"promptTokenCount": 7, "candidatesTokenCount": 2, "thoughtsTokenCount": 1}
    return Reply({"candidates": [{"content": content, "finishReason": stop}], "usageMetadata": usage})


def _gemini_error(status: int, message: str) -> Reply:
    return Reply({"error": {"code": status, "message": message, "status": "SOME_STATUS"}}, status)


def _converse(text: str, thinking: str = "", stop: str = "end_turn") -> Reply:
    thought = [{"reasoningContent": {"reasoningText": {"text": thinking, "signature": "x"}}}] if thinking else []
    message = {"role": "assistant", "content": thought + ([{"text": text}] if text else [])}
    usage = {"inputTokens": 7, "outputTokens": 3, "totalTokens": 10}
    return Reply({"output": {"message": message}, "stopReason": stop, "usage": usage, "metrics": {"latencyMs": 1}})


def _converse_error(status: int, message: str, code: str = "SomeException") -> Reply:
    return Reply({"message": message}, status, {"x-amzn-errortype": code})


ANTHROPIC = Api(
    kind="anthropic",
    module="anthropic",
    name="claude-3-5-haiku-20241022",
    environment={"ANTHROPIC_API_KEY": KEY},
    reply=_claude,
    error=_claude_error,
    finishes={
        "end_turn": "stop",
        "stop_sequence": "stop",
        "max_tokens": "length",
        "model_context_window_exceeded": "length",
        "refusal": "refusal",
        "pause_turn": "unknown",
    },
    wrong_key=lambda words: _claude_error(401, words),
)

GOOGLE = Api(
    kind="google",
    module="google.genai",
    name="gemini-2.0-flash",
    environment={"GEMINI_API_KEY": KEY},
    reply=_gemini,
    error=_gemini_error,
    finishes={"STOP": "stop", "MAX_TOKENS": "length", "SAFETY": "refusal", "RECITATION": "refusal", "OTHER": "unknown"},
    wrong_key=lambda words: Reply(
        {
            "error": {
                "code": 400,
                "message": words,
                "status": "INVALID_ARGUMENT",
                "details": [{"reason": "API_KEY_INVALID"}],
            }
        },
        400,
    ),
    parameters=lambda asked: asked.body["generationConfig"],
)

BEDROCK = Api(
    kind="bedrock",
    module="boto3",
    name="anthropic.claude-3-5-haiku-20241022-v1:0",
    environment={
        "AWS_ACCESS_KEY_ID": "AKIDEXAMPLE",
        "AWS_SECRET_ACCESS_KEY": KEY,
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_CONFIG_FILE": "/dev/null",
        "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
    },
    reply=_converse,
    error=_converse_error,
    finishes={
        "end_turn": "stop",
        "max_tokens": "length",
        "content_filtered": "refusal",
        "guardrail_intervened": "refusal",
        "tool_use": "unknown",
    },
    wrong_key=lambda words: _converse_error(403, words, "UnrecognizedClientException"),
    parameters=lambda asked: asked.body["inferenceConfig"],
    settings={"region": "us-east-1"},
)

APIS = (ANTHROPIC, GOOGLE, BEDROCK)


def prepared(api: Api, monkeypatch: pytest.MonkeyPatch) -> Api:
    """The API with its key in the environment; the test is skipped where its library is not installed."""
    pytest.importorskip(api.module, reason=f"pip install 'evalplus-run[{api.kind}]'")
    for name, value in api.environment.items():
        monkeypatch.setenv(name, value)
    return api
