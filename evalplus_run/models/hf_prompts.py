"""Prompts for a checkpoint of the Hugging Face kind, by its own tokenizer and chat template."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from evalplus_run.models.base import Thinking
from evalplus_run.models.chat_template import own_template, template_hash, template_identity
from evalplus_run.models.hf_checkpoint import adapter_folder, hash_of_folder
from evalplus_run.models.hf_template import template_in
from evalplus_run.models.settings import CheckpointSettings
from evalplus_run.models.thinking import Habit, ThinkingRoom, habit, has_section, obeyed, template_options
from evalplus_run.records import Message, Prompt, Rendered, UserError


def checkpoint_identity(settings: CheckpointSettings, content: Mapping[str, str]) -> Mapping[str, str]:
    """What tells one checkpoint's samples from another's, known without loading.

    The name, the commit or the hash of the files (`content`), and what changes the weights, the prompt or the
    length. Raises UserError.
    """
    own, adapter, quantization = settings.chat_template, settings.adapter, settings.quantization
    template = own_template(own) if own else template_in(settings.path or settings.name, content.get("commit"))
    return {
        "kind": settings.kind,
        "name": settings.shown_name,
        "revision": settings.revision,
        "dtype": settings.dtype,
        **content,
        **({"quantization": str(sorted(quantization.items()))} if quantization else {}),
        **({"adapter_sha256": hash_of_folder(adapter_folder(adapter))} if adapter else {}),
        **template_identity(template, settings),
    }


class HfPrompts:
    """Renders prompts once, with the template; learns first what the template makes of thinking."""

    def __init__(self, tokenizer: Any, settings: CheckpointSettings, thinking: Thinking) -> None:
        """Raises UserError where the model thinks otherwise than asked, or its template refuses a plain chat."""
        self._tokenizer = tokenizer
        self._name = settings.shown_name
        if settings.chat_template:
            tokenizer.chat_template = own_template(settings.chat_template)
        self._template = tokenizer.get_chat_template() if tokenizer.chat_template else ""
        self._options: Mapping[str, Any] = {}
        self._habit = Habit("none")
        self.chat = bool(self._template)
        if has_section(self._template):
            self._options = template_options(thinking)
            header = self._apply_template((Message("user", "Hello"),))
            self._habit = obeyed(habit(self._template, header, thinking), thinking, self._name)
        self.prefills = self.chat and self._habit.prefills
        self.room = ThinkingRoom(self._habit, settings.thinking_tokens)

    def notes(self) -> Mapping[str, str]:
        """For the manifest: the tokenizer, the template, and what became of thinking and the prefill."""
        return {
            "tokenizer": type(self._tokenizer).__name__,
            "chat_template_sha256": template_hash(self._template) if self._template else "none",
            "thinking": self._habit.thinking,
            "prefill": "possible" if self.prefills else "not possible: no chat template, or one that thinks",
            **self.room.notes(),
        }

    def render(self, prompt: Prompt) -> Rendered:
        """The chat by the template and the prefill behind it; token ids with one BOS at most. Raises UserError."""
        if prompt.messages and not self.chat:
            raise UserError(f"{self._name} has no chat template: set prompt=base.")
        if prompt.prefill and not self.prefills:
            raise ValueError("this model's answers cannot be begun: build the prompt after `start`")
        text = self._apply_template(prompt.messages) + prompt.prefill if prompt.messages else prompt.text
        return Rendered(text, self._with_one_bos(self._tokenizer.encode(text, add_special_tokens=False)))

    def opened(self, prompt: Prompt) -> bool:
        """Whether the rendered prompt ends inside a thinking section."""
        return self._habit.opened and bool(prompt.messages)

    def thinks(self, prompt: Prompt) -> bool:
        """Whether the answer begins with a thinking section, in which no stop string counts."""
        return self._habit.thinking == "on" and bool(prompt.messages)

    def ends(self, stops: Iterable[str]) -> frozenset[int]:
        """The ids of those stop strings that are tokens of their own: these would be left out of the text."""
        special = self._tokenizer.get_added_vocab()
        return frozenset(special[stop] for stop in stops if stop in special)

    def _apply_template(self, messages: Sequence[Message]) -> str:
        from jinja2 import TemplateError

        turns = [{"role": turn.role, "content": turn.content} for turn in messages]
        try:
            rendered = self._tokenizer.apply_chat_template(
                turns, tokenize=False, add_generation_prompt=True, **self._options
            )
        except TemplateError as error:
            raise UserError(f"The chat template of {self._name} refuses the prompt: {error}.") from error
        return str(rendered)

    def _with_one_bos(self, ids: Sequence[int]) -> tuple[int, ...]:
        """With the BOS where the tokenizer adds one and the template has not."""
        bos = self._tokenizer.bos_token_id
        adds = bos is not None and self._tokenizer.encode("a")[:1] == [bos]
        return (bos, *ids) if adds and list(ids[:1]) != [bos] else tuple(ids)
