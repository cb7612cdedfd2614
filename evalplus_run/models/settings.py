"""Settings of the models, one class a kind; apart from the models, so that --help loads no engine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from evalplus_run.models.base import Thinking
from evalplus_run.models.environment import refuse_key
from evalplus_run.models.families import Family, Refusable, family_of

ThinkingTokens = Annotated[
    int,
    Meta(
        ge=1024,
        le=1_000_000,
        description="tokens for thinking, on top of sampling.max_tokens; fewer where a local model lacks context",
    ),
]
"""An answer of a model that thinks takes both together at most, whatever computes it."""
THINKING_TOKENS = 32_768


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplaySettings:
    """Settings of the model `replay`."""

    kind: Annotated[Literal["replay"], Meta(description="answers read from a file")] = "replay"
    name: Annotated[str, Meta(description="name shown; empty: the file's")] = ""
    revision: Annotated[str, Meta(description="revision of the model that answered, as a note")] = ""
    concurrency: Annotated[int, Meta(ge=1, le=65_536, description="answers at once, where they have a pace")] = 64
    path: Annotated[
        str, Meta(description="JSONL(.gz) file: task_id and text, completion or solution [index, reasoning]")
    ] = ""
    chat: Annotated[bool, Meta(description="true: answers of a chat; false: continuations of the prompt")] = True
    pace: Annotated[
        float, Meta(ge=0, le=1e6, description="an answer takes so many times its recorded seconds; 0: no time")
    ] = 0.0


_Batch = Annotated[
    bool,
    Meta(description="by the provider's batches: cheaper, within a day; model.prices must hold their price then"),
]


class Price(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a model costs, in any currency, for a million tokens."""

    input: Annotated[float, Meta(ge=0, le=1_000_000)]
    """Prompt tokens."""
    output: Annotated[float, Meta(ge=0, le=1_000_000)]
    """New tokens, those of a thinking section too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiSettings:
    """What is set alike for every model behind an API: how fast it may be asked, and what it may cost."""

    kind: str
    name: Annotated[str, Meta(description="name of the model on the server")] = ""
    revision: Annotated[str, Meta(description="revision of the model, as a note")] = ""
    concurrency: Annotated[
        int, Meta(ge=1, le=65_536, description="requests in flight at most; fewer while the server is too busy")
    ] = 64
    requests_per_minute: Annotated[float, Meta(ge=0, le=1e9, description="spread evenly; 0: no limit")] = 0.0
    tokens_per_minute: Annotated[
        float, Meta(ge=0, le=1e12, description="prompt and new tokens, spread evenly; 0: no limit")
    ] = 0.0
    prices: Annotated[
        Mapping[str, Price],
        Meta(
            description="for a million tokens, by the model's name, with \\: for a colon in it",
            examples=["{NAME: {input: 2, output: 8}}"],
        ),
    ] = field(default_factory=dict)
    budget: Annotated[
        Annotated[float, Meta(ge=0, le=1e9)] | None,
        Meta(description="what all answers of the run may cost, in the prices' currency; null: anything"),
    ] = None
    takes: Annotated[
        tuple[Refusable, ...], Meta(description="what the model takes though its family is not known to")
    ] = ()
    refuses: Annotated[
        tuple[Refusable, ...],
        Meta(description="what is never sent, whatever its family takes; max_tokens: sent by its newer name"),
    ] = ()
    thinking_tokens: ThinkingTokens = THINKING_TOKENS

    @property
    def price(self) -> Price | None:
        """This model's, where the table holds it."""
        return self.prices.get(self.name)

    @property
    def family(self) -> Family:
        """What is known of the model by its name, and by what the user says of it."""
        return family_of(self.name, self.takes, self.refuses)

    def thinking_room(self, asked: Thinking) -> int:
        """The tokens that an answer may take for thinking, on top of `sampling.max_tokens`."""
        thinks = asked == "on" or (asked == "auto" and self.family.by_itself)
        return self.thinking_tokens if thinks else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAISettings(ApiSettings):
    """Settings of the model `openai`."""

    kind: Annotated[Literal["openai"], Meta(description="an OpenAI-compatible server")] = "openai"
    base_url: Annotated[str, Meta(description="address up to /v1; empty: OpenAI's")] = ""
    api_key_env: Annotated[
        str, Meta(description="environment variable that holds the key; may be unset where base_url is given")
    ] = "OPENAI_API_KEY"
    endpoint: Annotated[
        Literal["chat", "completions"], Meta(description="completions: base models, which go on from bare text")
    ] = "chat"
    thinking_by: Annotated[
        Literal["chat_template_kwargs", "reasoning_effort"],
        Meta(description="the parameter by which prompt.thinking is asked for"),
    ] = "chat_template_kwargs"
    n_per_request: Annotated[
        int,
        Meta(ge=1, le=128, description="answers asked for at once, which share a seed; the prompt is paid for once"),
    ] = 1
    batch: _Batch = False
    timeout_s: Annotated[float, Meta(gt=0, le=604_800, description="seconds that one answer may take")] = 600.0

    def __post_init__(self) -> None:
        """Raises UserError for a key in place of its variable's name: that would be written down with the command."""
        refuse_key(self.api_key_env)


@dataclass(frozen=True, slots=True, kw_only=True)
class HostedSettings(ApiSettings):
    """What is set alike for the APIs with a library of their own."""

    base_url: Annotated[
        str, Meta(description="address of another server that speaks this API; empty: the API's own")
    ] = ""
    timeout_s: Annotated[float, Meta(gt=0, le=604_800, description="seconds that one answer may take")] = 600.0

    def thinking_room(self, asked: Thinking) -> int:
        """Besides, raises UserError for what the model's family cannot do."""
        return self.thinking_tokens if self.family.thinks(asked, self.name) else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class AnthropicSettings(HostedSettings):
    """Settings of the model `anthropic`."""

    kind: Annotated[Literal["anthropic"], Meta(description="Claude, by Anthropic's API")] = "anthropic"
    api_key_env: Annotated[str, Meta(description="environment variable that holds the key")] = "ANTHROPIC_API_KEY"
    batch: _Batch = False

    def __post_init__(self) -> None:
        """Raises UserError for a key in place of its variable's name: that would be written down with the command."""
        refuse_key(self.api_key_env)


@dataclass(frozen=True, slots=True, kw_only=True)
class GoogleSettings(HostedSettings):
    """Settings of the model `google`."""

    kind: Annotated[Literal["google"], Meta(description="Gemini, by Google's API")] = "google"
    api_key_env: Annotated[str, Meta(description="environment variable that holds the key")] = "GEMINI_API_KEY"

    def __post_init__(self) -> None:
        """Raises UserError for a key in place of its variable's name: that would be written down with the command."""
        refuse_key(self.api_key_env)


@dataclass(frozen=True, slots=True, kw_only=True)
class BedrockSettings(HostedSettings):
    """Settings of the model `bedrock`; its keys are where AWS's own tools look for them."""

    kind: Annotated[Literal["bedrock"], Meta(description="a model on Amazon Bedrock")] = "bedrock"
    concurrency: Annotated[int, Meta(ge=1, le=1024, description="requests in flight at most, each in a thread")] = 16
    region: Annotated[str, Meta(description="AWS region; empty: AWS_REGION, or the profile's")] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LlamaCppSettings:
    """Settings of the model `llama_cpp`."""

    kind: Annotated[Literal["llama_cpp"], Meta(description="a GGUF file on this machine's cores")] = "llama_cpp"
    name: Annotated[str, Meta(description="name shown; a preset's name fetches its file once")] = ""
    revision: Annotated[str, Meta(description="revision of the model, as a note; the file's hash is recorded")] = ""
    concurrency: Annotated[
        int,
        Meta(ge=1, le=1024, description="answers at once (slots), sharing the cores; fewer where memory is short"),
    ] = 8
    path: Annotated[str, Meta(description="GGUF file; empty: the preset that `name` names")] = ""
    sha256: Annotated[str, Meta(description="of the file at `path`; another is refused; empty: any")] = ""
    threads: Annotated[int, Meta(ge=0, le=4096, description="0: one for each core this process may use")] = 0
    context: Annotated[
        int, Meta(ge=0, le=1 << 24, description="tokens for each answer with its prompt; 0: 2048, or more where needed")
    ] = 0
    chat_template: Annotated[str, Meta(description="Jinja file in place of the GGUF file's own template")] = ""
    thinking_tokens: ThinkingTokens = THINKING_TOKENS


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckpointSettings:
    """What is set alike for every engine that takes a checkpoint of the Hugging Face kind."""

    kind: str
    name: Annotated[str, Meta(description="model of the hub, or a preset's name; with `path`, the name shown")] = ""
    revision: Annotated[str, Meta(description="branch, tag or commit on the hub; empty: the newest")] = ""
    path: Annotated[str, Meta(description="folder of a checkpoint, or GGUF file; empty: what `name` names")] = ""
    dtype: Annotated[
        Literal["auto", "bfloat16", "float16", "float32"], Meta(description="of the weights; auto: the checkpoint's")
    ] = "auto"
    quantization: Annotated[
        Mapping[str, Any],
        Meta(
            description="quantization_config, passed on", examples=["{quant_method: bitsandbytes, load_in_4bit: true}"]
        ),
    ] = field(default_factory=dict)
    adapter: Annotated[str, Meta(description="folder of a LoRA adapter; with transformers it needs peft")] = ""
    chat_template: Annotated[str, Meta(description="Jinja file in place of the checkpoint's own template")] = ""
    thinking_tokens: ThinkingTokens = THINKING_TOKENS

    @property
    def shown_name(self) -> str:
        """The name, or the file's or the folder's."""
        return self.name or Path(self.path).name.removesuffix(".gguf")


@dataclass(frozen=True, slots=True, kw_only=True)
class TransformersSettings(CheckpointSettings):
    """Settings of the model `transformers`."""

    kind: Annotated[Literal["transformers"], Meta(description="transformers in this process, on GPUs or cores")] = (
        "transformers"
    )
    concurrency: Annotated[
        int, Meta(ge=1, le=65_536, description="answers in a batch at most; halved where memory is short")
    ] = 32
    device_map: Annotated[
        str, Meta(description="auto: all GPUs, or the cores where there are none; cpu, cuda:1, balanced, …")
    ] = "auto"


@dataclass(frozen=True, slots=True, kw_only=True)
class VllmSettings(CheckpointSettings):
    """Settings of the model `vllm`."""

    kind: Annotated[Literal["vllm"], Meta(description="vLLM on this machine, on GPUs or cores")] = "vllm"
    concurrency: Annotated[
        int, Meta(ge=0, le=65_536, description="answers in a batch at most (max_num_seqs); 0: vLLM's own choice")
    ] = 0
    tensor_parallel: Annotated[int, Meta(ge=1, le=4096, description="GPUs that each layer is shared out to")] = 1
    data_parallel: Annotated[int, Meta(ge=1, le=4096, description="copies of the model, each with its answers")] = 1
    max_model_len: Annotated[
        int,
        Meta(ge=0, le=1 << 24, description="tokens for an answer with its prompt; 0: what model and memory do"),
    ] = 0
    gpu_memory_utilization: Annotated[
        float,
        Meta(ge=0, le=1, description="share of each GPU's memory; 0: vLLM's own. On cores: of the machine's; 0: half"),
    ] = 0.0
    engine_args: Annotated[
        Mapping[str, Any],
        Meta(
            description="further arguments of vLLM's engine, which win over ours; "
            "{distributed_executor_backend: ray} spreads a model over the nodes of a Ray cluster",
            examples=["{enforce_eager: true}"],
        ),
    ] = field(default_factory=dict)
