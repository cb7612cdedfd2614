"""The records that travel between the folders: a task, a prompt, a completion, a program, a verdict, a score.

All are frozen. Values of tests (arguments) are plain Python objects that nobody changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any, Literal

from msgspec import Meta

from evalplus_run.errors import RunFailed as RunFailed  # noqa: PLC0414 - everyone finds them here
from evalplus_run.errors import UserError as UserError  # noqa: PLC0414

Arguments = tuple[Any, ...]
"""The positional arguments of one test."""

SampleId = tuple[str, int]
"""A task's id and the index of a sample of it."""

SuiteName = Literal["base", "plus"]
SUITES: tuple[SuiteName, ...] = ("base", "plus")

ProfileName = Literal["evalplus", "strict"]
PROFILES: tuple[ProfileName, ...] = ("evalplus", "strict")


@dataclass(frozen=True, slots=True)
class Task:
    """One problem of a benchmark."""

    task_id: str
    prompt: str
    """What the model is shown: a signature with its docstring, or a docstring with an assertion."""
    entry_point: str
    """The name of the function that is called."""
    reference: str
    """The complete reference program; its return values are the expected values."""
    base_inputs: tuple[Arguments, ...]
    plus_inputs: tuple[Arguments, ...]
    atol: float = 0.0
    """Absolute tolerance for floats; 0 lets the judge's profile decide."""
    contract: str = ""
    """Assertions on the arguments, as source text."""
    check: str = ""
    """A `check(candidate)` function as source text, where a benchmark gives one in place of inputs
    (plain HumanEval). The base inputs are then recorded by running it on the reference."""

    @property
    def asked(self) -> str:
        """The prompt as it stands in what a model is sent, whatever is put around it."""
        return self.prompt.strip()

    def inputs(self, suite: SuiteName) -> tuple[Arguments, ...]:
        """Those of one suite."""
        return self.base_inputs if suite == "base" else self.plus_inputs


@dataclass(frozen=True, slots=True)
class Dataset:
    """A benchmark as loaded: all its tasks, and which of them this run looks at."""

    name: str
    """The name in the registry, for example `humaneval_plus`."""
    version: str
    variant: str
    sha256: str
    """Of the unpacked JSONL content, in hexadecimal."""
    md5: str
    """Of the unpacked JSONL content: EvalPlus's `hash` in its result files."""
    tasks: tuple[Task, ...]
    """The tasks that this run looks at, in the dataset's order."""
    size: int
    """The number of tasks in the whole dataset."""
    source: str
    """Where it was read from, for people."""
    stop: tuple[str, ...] = ()
    """Stop strings that base models get for this benchmark, EvalPlus's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """How answers are drawn from a model."""

    n: Annotated[int, Meta(ge=1, le=100_000, description="samples for each task")] = 1
    temperature: Annotated[float, Meta(ge=0, le=100, description="0 is greedy")] = 0.0
    top_p: Annotated[float, Meta(gt=0, le=1, description="nucleus sampling: mass kept")] = 0.95
    top_k: Annotated[int, Meta(ge=0, le=1_000_000, description="likeliest tokens kept, by local engines; 0: all")] = 0
    min_p: Annotated[
        float,
        Meta(ge=0, le=1, description="share of the likeliest token's probability to be kept, local engines; 0: any"),
    ] = 0.0
    max_tokens: Annotated[int, Meta(ge=1, le=1_000_000, description="new tokens at most for an answer")] = 768
    seed: Annotated[
        int, Meta(ge=0, le=(1 << 63) - 1, description="the run's seed; each sample's seed derives from it")
    ] = 0
    stop: Annotated[
        tuple[str, ...],
        Meta(description=r"further stop strings, beside the prompt style's; \n and \t are read as newline and tab"),
    ] = ()


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a chat."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model is asked for one task: a chat with a pre-filled answer, or bare text to go on from."""

    task_id: str
    messages: tuple[Message, ...] = ()
    """The chat; empty for a base model."""
    prefill: str = ""
    """The beginning of the assistant's turn, from where generation goes on; only with `messages`."""
    text: str = ""
    """The text to complete, for a base model; empty with `messages`."""
    stop: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rendered:
    """A prompt as the engine gets it."""

    text: str
    token_ids: tuple[int, ...] | None = None
    """None where the engine does not tell (an API)."""


@dataclass(frozen=True, slots=True)
class Request:
    """A prompt and the indices of the samples that are wanted of it."""

    prompt: Prompt
    indices: tuple[int, ...]


FinishReason = Literal["stop", "length", "refusal", "error", "unknown"]


@dataclass(frozen=True, slots=True)
class Completion:
    """One answer of a model, as stored in `completions.jsonl`."""

    task_id: str
    index: int
    text: str
    """The answer; without the prompt, without a pre-filled beginning."""
    reasoning: str = ""
    """Reasoning text that the engine gave apart from the answer."""
    finish_reason: FinishReason = "unknown"
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    seconds: float = 0.0
    """From the request to the last token, by the wall clock."""
    cost: float | None = None
    """In the currency of `model.prices`, where the price is known."""
    continues_prompt: bool = False
    """Whether the text goes on from the task's prompt, as a base model's does, rather than standing alone."""


class Outcome(StrEnum):
    """What became of a program on a suite of tests."""

    PASS = "pass"  # noqa: S105
    WRONG = "wrong"
    FAILED = "fail (kind not told)"
    """In another tool's file: that it failed, and no more."""
    EXCEPTION = "exception"
    TIMEOUT = "timeout"
    MEMORY = "memory"
    CRASH = "crash"
    SYNTAX_ERROR = "syntax_error"
    NO_ENTRY_POINT = "no_entry_point"
    EMPTY = "empty"
    NO_CODE = "no_code"
    TRUNCATED = "truncated"
    REFUSED = "refused"
    OUTPUT_TOO_LARGE = "output_too_large"
    HOST_FAULT = "host_fault"
    """The machine failed, not the program: retried, and never counted against a model."""


@dataclass(frozen=True, slots=True)
class Program:
    """A program to be judged, as stored in `samples.jsonl`."""

    task_id: str
    index: int
    solution: str
    outcome: Outcome | None = None
    """Set where there is nothing to run: `empty`, `no_code`, `truncated`, `refused`."""
    sanitizer: str = "none"
    notes: Mapping[str, str] = field(default_factory=dict)
    """What the sanitizer did, by a short name: the block chosen, the prompt put in front, names dropped."""


@dataclass(frozen=True, slots=True)
class SuiteVerdict:
    """What became of one program on one suite, under one judge profile."""

    outcome: Outcome
    test: int | None = None
    """The first failing test in the dataset's order, from 0; None where no test was reached, or all passed."""
    expected: str = ""
    got: str = ""
    """Shortened, for people."""
    error: str = ""
    """The type of the exception and its text, the signal, or the limit that was met."""
    line: int | None = None
    """The line of the program that raised."""
    cpu_seconds: float = 0.0
    failed_tests: tuple[int, ...] | None = None
    """All failing tests, where details were asked for."""


@dataclass(frozen=True, slots=True)
class ProfileVerdict:
    """Both suites under one judge profile."""

    base: SuiteVerdict
    plus: SuiteVerdict

    @property
    def passed(self) -> bool:
        """Base and plus: what `plus` means in a score."""
        return self.base.outcome is Outcome.PASS and self.plus.outcome is Outcome.PASS

    @property
    def is_host_fault(self) -> bool:
        """Whether the machine failed on either suite: then the sample counts on none."""
        return Outcome.HOST_FAULT in (self.base.outcome, self.plus.outcome)


@dataclass(frozen=True, slots=True)
class Verdict:
    """One row of `verdicts.jsonl`."""

    task_id: str
    index: int
    key: str
    """A hash of all that the verdict depends on; another key means that it must be made again."""
    evalplus: ProfileVerdict
    strict: ProfileVerdict


@dataclass(frozen=True, slots=True)
class Estimate:
    """A score with its 95 % interval, all between 0 and 1 (a difference: -1 and 1); NaN where it is not defined."""

    value: float
    low: float
    high: float
    method: str
    """The name of the interval."""
    sampling_error: float | None = None
    """The standard error from drawing samples alone; None where n is too small to tell it from the other."""
    tasks_error: float | None = None
    """The standard error from the choice of tasks alone."""


@dataclass(frozen=True, slots=True)
class Score:
    """The scores of one run under one judge profile."""

    tasks: int
    """Tasks with at least one judged sample."""
    tasks_in_dataset: int
    samples: int
    base: Mapping[int, Estimate]
    """pass@k by k."""
    plus: Mapping[int, Estimate]
    outcomes: Mapping[SuiteName, Mapping[Outcome, int]]
    drop: Mapping[int, Estimate] = field(default_factory=dict)
    """Base less plus, by k, with an interval of its own: both stand on the same samples."""

    def of(self, suite: SuiteName) -> Mapping[int, Estimate]:
        """pass@k by k on one suite."""
        return self.base if suite == "base" else self.plus
