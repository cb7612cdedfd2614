"""Python's own parser, for a process with threads."""

from __future__ import annotations

import ast
import threading

_alone = threading.Lock()


def syntax_tree(text: str, filename: str = "<unknown>") -> ast.Module:
    """What `ast.parse` gives, or raises.

    Before 3.13 the parser counts the depth of a tree for all threads together: where another one comes in between,
    as while garbage is collected, it raises SystemError (https://github.com/python/cpython/issues/106905).
    """
    with _alone:
        return ast.parse(text, filename)
