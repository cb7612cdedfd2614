"""Modules that a program will import, imported before the lock, where the lock then opens no file at all."""

import ast
import importlib
import sys

_WITH_SIDE_EFFECTS = frozenset(("antigravity", "this", "idlelib", "turtledemo", "test"))


def preload(source: str) -> None:
    """Import what the text of a program imports of the standard library and numpy; never raises."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for name in sorted(_imported(tree)):
        top = name.partition(".")[0]
        if (top in sys.stdlib_module_names or top == "numpy") and top not in _WITH_SIDE_EFFECTS:
            try:
                _import(name)
            except Exception:  # noqa: S112 - the program meets the same error itself, and may have caught it
                continue


def _import(name: str) -> None:
    """A module, or a name of one, which may be loaded only when it is asked for (`concurrent.futures`)."""
    module, _, member = name.rpartition(".")
    if module and hasattr(importlib.import_module(module), member):
        return
    importlib.import_module(name)


def _imported(tree: ast.AST) -> "set[str]":
    names: "set[str]" = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            # A name of a package may be a module of it.
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return names
