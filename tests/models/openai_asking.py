"""The OpenAI-compatible model as tests ask it."""

from stub_server import StubServer

from evalplus_run.models.openai import OpenAI
from evalplus_run.models.retry import Patience
from evalplus_run.models.settings import OpenAISettings
from evalplus_run.records import Completion, Message, Prompt, Request, Sampling

KEY = "sk-secret-0123456789"
QUICK = Patience(attempts=6, attempts_unreached=3, first_wait=0.001, longest_wait=0.002)
PROMPT = Prompt("HumanEval/0", messages=(Message("user", "write f"),))
BASE = Prompt("HumanEval/0", text="def f():\n", stop=("\ndef ",))


async def ask(
    stub: StubServer,
    prompt: Prompt = PROMPT,
    indices: tuple[int, ...] = (0,),
    sampling: Sampling = Sampling(),  # noqa: B008
    **settings: object,
) -> tuple[list[Completion], OpenAI]:
    model = OpenAI(OpenAISettings(name="m", base_url=stub.url, **settings), patience=QUICK)  # type: ignore[arg-type]
    await model.start()
    try:
        found = [each async for each in model.complete([Request(prompt, indices)], sampling)]
    finally:
        await model.close()
    return found, model
