"""tree-sitter's Python grammar: it reads text that `ast` does not, of any version of Python."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node, Parser


def root_of(text: str) -> Node:
    """The syntax tree of some text, which holds no lone surrogates."""
    return _parser().parse(text.encode()).root_node


@cache
def _parser() -> Parser:
    import tree_sitter_python
    from tree_sitter import Language, Parser

    return Parser(Language(tree_sitter_python.language()))
