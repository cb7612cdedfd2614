"""Text cut where something other than code stands: ends of turns, fences, tags, roles."""

from __future__ import annotations

import keyword
import re
import textwrap
from bisect import bisect_left

from evalplus_run.sanitize.lines import Lines, end_of_short_string, open_string
from evalplus_run.sanitize.statements import statement_at

_BAR = "[|\uff5c\u2502]"  # plain, fullwidth, box drawing
_WORD = "[^<>|\uff5c\u2502\n]{0,40}"
_TURN = re.compile(
    rf"""(?P<quote>["'])?(?:
        <{_BAR}{_WORD}(?:{_BAR}{_WORD}){{0,5}}{_BAR}>
      | </?s> | <(?:eos|bos|pad|unk|eod|eot|end_of_\w+|start_of_turn|end_?of_?text|im_end|turn\|)>
      | <(?:fim_\w+|file_?sep|repo_?name|gh_stars|jupyter_\w+|issue_start|commit_(?:before|msg|after)|extra_id_\d+)>
      | \[/?INST\] | \[/s\] | \[end[ ]of[ ]text\] | \[\|[^\[\]|\n]{{1,40}}\|\]
      | <\|\w*\|?\Z
      | ^(?:\#{{2,}}[ \t]*+)?[*<]*+(?:user|human|system)[*>]*:(?![ \t]*[\w.]+[ \t]*=)
      | ^\#{{2,}}[ \t]*+\**+instructions?\**:
    )(?P<closing>["'])?(?:(?:system|user|assistant|model)\s*\n)?""",
    re.VERBOSE | re.MULTILINE | re.IGNORECASE,
)
_TAG = r"code|pre|answer|solution|python|response|output|final_answer|div|p|span"
_KEYWORDS = "|".join(keyword.kwlist)
_STATEMENT = r"""
    (?:async[ \t]+)?def[ \t]+\w+[ \t]*\( | class[ \t]+\w+[ \t]*[(:]
    | import[ \t]+\w | from[ \t]+[\w.]+[ \t]+import\b | @\w
"""
_MARKER = re.compile(
    rf"""
      (?:`{{3,}}|^[ \t>]*+~{{3,}})[ \t]*
      (?:[\w+#.{{}}:="'-]*(?:[ \t]+[\w-]+=[^\n`]*)?[ \t]*+$ | (?:python[\d.]*|py3?)\b[ \t]*(?=\S))?
    | ^[ \t]*+(?:</?(?:{_TAG})\b[^<>\n]{{0,80}}>)+ | (?:</(?:{_TAG})>)+[ \t]*$
    | ^[ \t]*+\[/?(?:PYTHON|CODE|ANSWER|SOLUTION|TESTS?)\]
    | ^(?!(?:{_KEYWORDS})\b)[\w*\[<#][^\n"(){{}}=]{{0,80}}:[*\]>]*[ \t]+(?={_STATEMENT})
    | ^(?:\#{{2,}}[ \t]*+)?\**+(?:assistant|model|ai|bot|response|answer)\**:\**(?![ \t]*[\w.]+[ \t]*=)
    """,
    re.VERBOSE | re.MULTILINE | re.IGNORECASE,
)
_MOST_STRINGS = 20  # fences looked past inside strings, for one segment


def turns(text: str) -> list[str]:
    """The text cut at special tokens and where the user's turn begins; those in strings are part of some code."""
    marks = [
        (match.start() + len(match["quote"] or ""), match.end())
        for match in _TURN.finditer(text)
        if not match["quote"] or match["quote"] != match["closing"]
    ]
    return _cut(text, marks)


def pieces_of(text: str) -> list[str]:
    """All pieces of a text that is no program, in order."""
    return [piece for turn in turns(text) for piece in segments(turn)]


def segments(text: str) -> list[str]:
    """The pieces of a turn between fences, tags and roles, those outside of fences too.

    Which fence opens and which closes is left open, since a first one may be missing. A fence inside a string
    that belongs to a complete statement is no fence. Pieces that are indented as a whole are moved to the left.
    """
    return [_moved_left(piece) for piece in _cut(text, [match.span() for match in _MARKER.finditer(text)])]


def _cut(text: str, marks: list[tuple[int, int]]) -> list[str]:
    """The text between those marks that are outside of strings."""
    pieces: list[str] = []
    begin = mark = 0
    while begin <= len(text):
        mark = _past_strings(text, begin, mark, marks)
        end, following = marks[mark] if mark < len(marks) else (len(text), len(text) + 1)
        pieces.append(text[begin:end].lstrip(" \t" if begin else ""))  # what follows a mark on its line begins there
        begin, mark = following, mark + 1
    return [piece for piece in pieces if piece.strip()]


def _past_strings(text: str, begin: int, mark: int, marks: list[tuple[int, int]]) -> int:
    """The first mark from `mark` on that is outside of strings."""
    beyond = mark
    for _ in range(_MOST_STRINGS):
        if beyond == len(marks):
            break
        end = _end_of_string(text, begin, marks[beyond])
        if end is None:
            break
        beyond = bisect_left(marks, (end, 0))
    if beyond == mark:
        return mark
    end = marks[beyond][0] if beyond < len(marks) else len(text)
    return beyond if _is_inside(_moved_left(text[begin:end]), text.count("\n", begin, marks[mark][0])) else mark


def _end_of_string(text: str, begin: int, mark: tuple[int, int]) -> int | None:
    """The end of the string that holds a mark; None if the mark is in no string, or in one that does not end."""
    quote = open_string(text[begin : mark[0]])
    if quote is None:
        return end_of_short_string(text, mark[0])
    closing = text.find(quote, mark[1])
    return None if closing < 0 else closing + len(quote)


def _is_inside(text: str, target: int) -> bool:
    """Whether a line is part of a complete statement."""
    source, line = Lines(text), 0
    while line <= target:
        found = None if source.is_blank(line) else statement_at(source, line)
        if found is not None and found.tree is not None and line <= target < found.end:
            return True
        line = max(found.end, line + 1) if found is not None else line + 1
    return False


def _moved_left(text: str) -> str:
    first = next((line for line in text.split("\n") if line.strip()), "")
    return textwrap.dedent(text) if first[:1] in {" ", "\t"} else text
