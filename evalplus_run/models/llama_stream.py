"""Many prompts in one streamed request, so that greedy answers repeat bit for bit.

llama.cpp's sums depend on which other answers share a batch. Asked one by one, that is decided by the clock;
asked all at once, by the prompts alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from evalplus_run.models.asking import Answer
from evalplus_run.models.compatible import FINISH

if TYPE_CHECKING:
    from openai import AsyncOpenAI
    from openai.types import Completion as Chunk


async def stream_answers(
    client: AsyncOpenAI, prompts: Sequence[Sequence[int]], parameters: Mapping[str, Any]
) -> AsyncGenerator[tuple[int, Answer], None]:
    """The position of a prompt and its answer, as each is finished."""
    texts: defaultdict[int, list[str]] = defaultdict(list)
    stream = await client.completions.create(model="", prompt=prompts, stream=True, extra_body=parameters)
    async with stream:
        async for chunk in stream:
            # The server writes null where a prompt begins, and a finish reason only where one ends.
            for choice in chunk.choices if chunk else ():
                texts[choice.index].append(choice.text)
                if choice.finish_reason:
                    yield choice.index, _answer("".join(texts.pop(choice.index)), choice.finish_reason, chunk)


def _answer(text: str, reason: str, chunk: Chunk) -> Answer:
    usage, timings = chunk.usage, (chunk.model_extra or {}).get("timings", {})
    return Answer(
        text,
        reasoning="",
        finish_reason=FINISH.get(reason, "unknown"),
        prompt_tokens=usage.prompt_tokens if usage else None,
        completion_tokens=usage.completion_tokens if usage else None,
        seconds=(timings.get("prompt_ms", 0.0) + timings.get("predicted_ms", 0.0)) / 1000,
    )
