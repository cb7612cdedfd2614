"""A model's reasoning, set apart from its answer."""

from __future__ import annotations

import re
from dataclasses import dataclass

_THOUGHT = r"(?:think(?:ing)?|thoughts?|reason(?:ing)?)"
_TAGS = (
    rf"(?:\w{{1,20}}[:_])?{_THOUGHT}(?:_(?:process|content))?"
    "|reflection|scratchpad|analysis|inner_monologue|plan(?:ning)?"
)
_BAR = "[|\uff5c\u2502]"  # plain, fullwidth, box drawing
_GAP = "[_\u2581 ]"  # plain, sentencepiece's
_OPEN = rf"""<(?:{_TAGS})(?:[ ]+\w+=[^<>\n]{{0,80}})?>|\[THINK\]|◁think▷
    |<{_BAR}(?:(?:begin|start){_GAP}(?:of{_GAP})?{_THOUGHT}|{_THOUGHT}(?:{_GAP}(?:begin|start))?|inner_prefix){_BAR}>
    |<\|channel\|>\s*(?:analysis|commentary)[^<]{{0,80}}<\|message\|>|<\|channel>thought\b"""
_CLOSE = rf"""</(?:{_TAGS})>|\[/THINK\]|◁/think▷
    |<{_BAR}(?:end{_GAP}(?:of{_GAP})?{_THOUGHT}|/{_THOUGHT}|{_THOUGHT}{_GAP}end|inner_suffix){_BAR}>
    |<\|channel\|>\s*final[^<]{{0,80}}<\|message\|>|<channel\|>|assistantfinal"""
# A tag between quotes is a string of some code.
_TAG = re.compile(
    rf"(?<![\"'`])(?:(?P<open>{_OPEN})|(?P<close>{_CLOSE})|(?P<end><\|end\|>))(?![\"'`](?!``))",
    re.VERBOSE | re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Answer:
    """A text in two parts."""

    text: str
    """What is outside the reasoning."""
    reasoning: str = ""
    closed: bool = True
    """The reasoning came to its end."""


def set_reasoning_apart(text: str) -> Answer:
    """Take tagged reasoning out; where only the closing tag is there, all before it is reasoning."""
    outside: list[str] = []
    inside: list[str] = []
    begin, thinking = 0, False
    for tag in _TAG.finditer(text):
        if tag.lastgroup == "end" and not thinking:
            continue
        piece = text[begin : tag.start()].lstrip(" \t" if begin else "")
        if tag.lastgroup == "close" and not thinking:
            inside += [*outside, piece]
            outside = []
        else:
            (inside if thinking else outside).append(piece)
        begin, thinking = tag.end(), tag.lastgroup == "open"
    (inside if thinking else outside).append(text[begin:].lstrip(" \t" if begin else ""))
    return Answer("\n".join(outside), "\n".join(inside), closed=not thinking)
