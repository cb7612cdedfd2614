"""Logical lines in text that may not be Python: where a statement that begins on a line would end."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property

_SPECIAL = re.compile(r"""["'#()\[\]{}\\\0]""")
_TOKEN = re.compile(
    r"""
      (?P<string> \"{3}[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*\"{3} | '{3}[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*'{3} )
    | (?P<unclosed> \"{3} | '{3} )
    | (?P<short> "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*' )
    | (?P<comment> \#[^\r\n]* )
    | (?P<open> [(\[{] )
    | (?P<close> [)\]}] )
    | (?P<joined> \\\r?\n )
    | (?P<newline> \n | \Z )
    | (?P<wrong> ["'\0] )
    """,
    re.VERBOSE | re.DOTALL,
)
_MOST_WORK = 10
"""Characters that are looked at for each one of a text. Answers need two or three."""
_WORK_OF_SHORT = 20_000
"""Characters more, so that what is short is never given up on."""
_NEAR = 500  # characters looked at on both sides of a place in a line
_PAIRS = {")": "(", "]": "[", "}": "{"}
_APOSTROPHE = re.compile(r"(?<![^\W_])(?![rbfuRBFU]{1,2}\Z)[^\W_]+\Z")  # a quotation mark after a word begins no string
_BLANK = re.compile(r"[ \t\f\r]*(?:#.*)?$", re.DOTALL)


class Lines:
    """Text by its lines, numbered from 0. An end is the line after the last one."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = text.split("\n")
        self._left = _MOST_WORK * len(text) + _WORK_OF_SHORT
        self._ends: dict[int, int | None] = {}

    def __len__(self) -> int:
        return len(self.lines)

    @cached_property
    def _offsets(self) -> list[int]:
        offsets = [0]
        for line in self.lines:
            offsets.append(offsets[-1] + len(line) + 1)
        return offsets

    def span(self, first: int, end: int) -> str:
        """The text of some lines, without the last newline."""
        return self.text[self._offsets[first] : max(self._offsets[end] - 1, self._offsets[first])]

    def line_at(self, offset: int) -> int:
        """The line that holds a place in the text."""
        return bisect_right(self._offsets, offset) - 1

    def is_blank(self, line: int) -> bool:
        """Whether Python sees nothing on the line: white space, a comment."""
        return _BLANK.match(self.lines[line]) is not None

    def is_indented(self, line: int) -> bool:
        """Whether the line begins inside a block, or is empty space."""
        return self.lines[line][:1] in {" ", "\t"}

    def spend(self, characters: int) -> bool:
        """Whether so many characters more may be looked at: hostile text is not followed from each of its lines."""
        self._left -= characters
        return self._left >= 0

    def logical_end(self, first: int) -> int | None:
        """The end of the logical line that begins on a line; None if nothing closes it.

        Brackets and strings are followed as the tokenizer does. None stands for an unclosed string or bracket,
        for brackets that do not match, and for a null character.
        """
        if _SPECIAL.search(self.lines[first]) is None:
            return first + 1
        if first not in self._ends:
            self._ends.update(self._scan(first) if self._left >= 0 else {first: None})
        return self._ends[first]

    def _scan(self, first: int) -> dict[int, int | None]:
        """The ends of the logical line and of all those that would begin on lines inside its brackets."""
        ends: dict[int, int | None] = {}
        begun = [(first, 0)]  # lines whose end is not seen yet, with the number of brackets open before them
        stack: list[str] = []
        match = None
        for match in _TOKEN.finditer(self.text, self._offsets[first]):
            kind, token = match.lastgroup, match[0]
            if kind == "open":
                stack.append(token)
            elif kind == "joined":
                # From the next line on the same tokens follow, with the same brackets open.
                begun.append((self.line_at(match.start()) + 1, len(stack)))
            elif kind in {"unclosed", "wrong"} or (kind == "close" and (not stack or stack.pop() != _PAIRS[token])):
                break
            elif kind == "newline":
                line = self.line_at(match.start()) + 1
                while begun and begun[-1][1] >= len(stack):
                    start, depth = begun.pop()
                    ends[start] = line if depth == len(stack) else None
                if not begun:
                    break
                begun.append((line, len(stack)))
        self.spend(match.end() - self._offsets[first] if match else 0)
        return ends | dict.fromkeys((line for line, _ in begun), None)


def open_string(text: str) -> str | None:
    """The triple quotes of the string that the text ends in, if any; text need not be Python."""
    if '"""' not in text and "'''" not in text:
        return None
    return next((match[0] for match in _TOKEN.finditer(text) if match.lastgroup == "unclosed"), None)


def end_of_short_string(text: str, offset: int) -> int | None:
    """The end of the string or comment that holds a place, if it is on one line; text need not be Python."""
    begin = max(text.rfind("\n", 0, offset) + 1, offset - _NEAR)
    for match in _TOKEN.finditer(text, begin, offset + _NEAR):
        if match.end() > offset:
            holds = match.start() < offset and match.lastgroup in {"short", "comment"}
            return match.end() if holds and not _APOSTROPHE.search(text, begin, match.start()) else None
    return None


def without_strings(text: str) -> str:
    """The text without strings and comments."""
    return _TOKEN.sub(lambda match: "" if match.lastgroup in {"string", "short", "comment"} else match[0], text)
