"""Gemini by Google's API."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from evalplus_run.models.address import is_this_machine
from evalplus_run.models.asking import Answer, Refused
from evalplus_run.models.counts import counted
from evalplus_run.models.hosted import Connection, Hosted, key_in, key_remedy, system_of, turns_of
from evalplus_run.models.reading import read_as
from evalplus_run.models.retry import Transient, in_words, retry_after
from evalplus_run.models.settings import GoogleSettings
from evalplus_run.records import FinishReason, Prompt

if TYPE_CHECKING:
    from google.genai import Client
    from google.genai.errors import APIError
    from httpx2 import AsyncClient

FINISH: Mapping[str | None, FinishReason] = {
    "STOP": "stop",
    "MAX_TOKENS": "length",
    **dict.fromkeys(("SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII"), "refusal"),
}
_NAMES = {"max_tokens": "max_output_tokens", "stop": "stop_sequences"}
"""What this API calls a parameter."""
_ROLES = {"user": "user", "assistant": "model"}
_STOPS = 5
"""Stop strings that it takes; the others end the text on our side."""


class _Part(msgspec.Struct):
    text: str = ""
    thought: bool = False


class _Content(msgspec.Struct):
    parts: list[_Part] = []


class _Candidate(msgspec.Struct, rename="camel"):
    content: _Content | None = None
    finish_reason: str | None = None


class _Feedback(msgspec.Struct, rename="camel"):
    block_reason: str | None = None


class _Response(msgspec.Struct, rename="camel"):
    candidates: list[_Candidate] = []
    prompt_feedback: _Feedback | None = None
    usage_metadata: Any = None
    model_version: Any = None


_RESPONSE = msgspec.json.Decoder(_Response)


class Google(Hosted[GoogleSettings]):
    """One request a sample; thoughts come as parts of their own, as summaries."""

    own_url = "https://generativelanguage.googleapis.com"

    _client: Client | None = None
    _http: AsyncClient | None = None

    def _engine(self) -> str:
        from google import genai

        return f"google-genai {genai.__version__}"

    def _connect(self) -> Connection:
        import httpx2
        from google import genai
        from google.genai import types

        variable = self.settings.api_key_env
        key = key_in(variable)
        limits = httpx2.Limits(max_connections=self.settings.concurrency)
        self._http = httpx2.AsyncClient(limits=limits, trust_env=not is_this_machine(self._url))
        options = types.HttpOptions(
            base_url=self._url, timeout=round(1000 * self.settings.timeout_s), httpx_async_client=self._http
        )
        self._client = genai.Client(api_key=key, vertexai=False, http_options=options)
        return Connection(self._url, (key,), key_remedy(variable))

    async def _send(self, prompt: Prompt, parameters: Mapping[str, Any]) -> str:
        import httpx2
        from google.genai import errors, types

        if self._client is None:
            raise RuntimeError("asked before start")
        try:
            response = await self._client.aio.models.generate_content(
                model=self.settings.name,
                contents=[
                    types.Content(role=_ROLES[role], parts=[types.Part(text=text)]) for role, text in turns_of(prompt)
                ],
                config=self._config(prompt, parameters),
            )
        except httpx2.TimeoutException:
            raise TimeoutError from None
        except httpx2.HTTPError as error:
            raise Transient(in_words(error)) from None
        except errors.APIError as error:
            raise _refusal(error) from None
        raw = response.sdk_http_response
        return (raw.body if raw else "") or ""

    def _config(self, prompt: Prompt, parameters: Mapping[str, Any]) -> Any:
        from google.genai import types

        config = {_NAMES.get(name, name): value for name, value in parameters.items()}
        if "stop_sequences" in config:
            config["stop_sequences"] = config["stop_sequences"][:_STOPS]
        return types.GenerateContentConfig(
            **config,
            system_instruction=system_of(prompt) or None,
            thinking_config=self._thinking_asked(),
            # Read here, with distrust: the library gives up on what does not fit its types.
            should_return_http_response=True,
        )

    def _thinking_asked(self) -> Any:
        from google.genai import types

        family = self._family
        if family.thinking == "none":
            return None
        if not self._thinks:
            return types.ThinkingConfig(thinking_budget=0)
        as_long_as_it_likes = -1 if family.thinking == "budget" and self._thinking == "on" else None
        return types.ThinkingConfig(include_thoughts=True, thinking_budget=as_long_as_it_likes)

    def _read(self, response: str) -> Answer:
        given = read_as(response.encode(errors="surrogatepass"), _RESPONSE)
        usage = given.usage_metadata
        # Thoughts are paid for as answers are.
        tokens = (counted(usage, "promptTokenCount"), counted(usage, "candidatesTokenCount", "thoughtsTokenCount"))
        if not given.candidates:
            if given.prompt_feedback and given.prompt_feedback.block_reason:
                return Answer("", "", "refusal", *tokens)
            raise Transient(f"the answer holds no candidate: {response}")
        candidate = given.candidates[0]
        parts = candidate.content.parts if candidate.content else []
        return Answer(
            "".join(part.text for part in parts if not part.thought),
            "".join(part.text for part in parts if part.thought),
            FINISH.get(candidate.finish_reason, "unknown"),
            *tokens,
            model=given.model_version if isinstance(given.model_version, str) else "",
        )

    async def close(self) -> None:
        """Close the connections."""
        # Google's client closes only what it has made itself.
        if self._http is not None:
            await self._http.aclose()


def _refusal(error: APIError) -> Refused:
    words, details = str(error.message or error.status or "no words"), str(error.details)
    # A wrong key is a bad request here.
    status = 401 if error.code == 400 and ("API_KEY_INVALID" in details or "API key" in words) else error.code
    asked = re.search(r"'retryDelay': '([0-9]+(?:[.][0-9]+)?)s'", details)
    headers = getattr(error.response, "headers", None) or {}
    wait = max(float(asked[1]) if asked else 0.0, retry_after(headers))
    return Refused(status, words, wait=wait, is_final="PerDay" in details)
