"""From a task to a prompt.

The style `evalplus` is EvalPlus's to the byte: with a pre-filled answer as its local engines do, without one
as its API backends do.
"""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files

from evalplus_run.files import read_whole, reason, user_path
from evalplus_run.records import Message, Prompt, Task, UserError
from evalplus_run.sampling.settings import PromptSettings

END_OF_TEXT = ("<|endoftext|>", "<|endofmask|>", "</s>")
AFTER_THE_FUNCTION = ("\nif __name__", "\ndef main(", "\nprint(")
END_OF_BLOCK = "\n```\n"

_TEMPLATES = ("evalplus", "evalplus_whole", "plain", "base")
_PLACE = "{prompt}"


def build_prompt(
    task: Task, dataset_stop: tuple[str, ...], settings: PromptSettings, *, chat: bool, prefills: bool
) -> Prompt:
    """The prompt of one task for a model that takes a chat or not, and continues a begun turn or not.

    Stop strings: a continuation ends where it leaves the function; a whole chat answer ends by itself, and
    may think or show an example first, so it gets none. Raises UserError for a template file of the user's
    that is missing or does not hold `{prompt}` exactly once.
    """
    if settings.style == "base" or not chat:
        text = _filled(settings.template, "base", task)
        return Prompt(task.task_id, text=text, stop=END_OF_TEXT + AFTER_THE_FUNCTION + dataset_stop)
    prefill = _template("evalplus_prefill") if _is_prefilled(settings, prefills) else ""
    return Prompt(
        task.task_id,
        messages=_turns(task, settings, prefilled=bool(prefill)),
        prefill=prefill,
        stop=(*END_OF_TEXT, *AFTER_THE_FUNCTION, END_OF_BLOCK) if prefill else (),
    )


def prompt_identity(settings: PromptSettings) -> dict[str, str]:
    """All that moves the prompts of a benchmark: the settings, and the text behind their names."""
    text = [_own_template(settings.template)] if settings.template else [_template(name) for name in _TEMPLATES]
    stop = (*END_OF_TEXT, *AFTER_THE_FUNCTION, END_OF_BLOCK)
    digest = hashlib.sha256("\0".join([*text, _template("evalplus_prefill"), *stop]).encode()).hexdigest()
    return {
        "style": settings.style,
        "thinking": settings.thinking,
        "prefill": str(settings.prefill).lower(),
        "system": settings.system,
        "texts_sha256": digest,
    }


def _is_prefilled(settings: PromptSettings, prefills: bool) -> bool:
    return settings.style == "evalplus" and settings.prefill and prefills


def _turns(task: Task, settings: PromptSettings, *, prefilled: bool) -> tuple[Message, ...]:
    style = "plain" if settings.style == "plain" else "evalplus" if prefilled else "evalplus_whole"
    user = Message("user", _filled(settings.template, style, task))
    return (Message("system", settings.system), user) if settings.system else (user,)


def _filled(path: str, style: str, task: Task) -> str:
    template = _own_template(path) if path else _template(style)
    before, after = template.split(_PLACE)
    return before + task.asked + after


@cache
def _template(name: str) -> str:
    return (files("evalplus_run.sampling") / "templates" / f"{name}.txt").read_text(encoding="utf-8")


def _own_template(path: str) -> str:
    try:
        # Not as text, which would turn a carriage return into a newline.
        text = read_whole(user_path(path)).decode()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"prompt.template={path} cannot be read ({reason(error)}): name a text file.") from error
    if text.count(_PLACE) != 1:
        raise UserError(f"prompt.template={path} must hold {_PLACE} exactly once, where the task's prompt goes.")
    return text
