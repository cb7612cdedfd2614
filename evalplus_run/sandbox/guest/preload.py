"""Modules that a program will import, imported before the lock, where the lock then opens no file at all."""

import ast
import importlib
import pkgutil
import sys

_WITH_SIDE_EFFECTS = frozenset(("antigravity", "this", "idlelib", "turtledemo", "test", "__phello__", "ensurepip"))
_IMPORTERS = frozenset(("import_module", "__import__"))


def preload(source: str) -> None:
    """Import what the text of a program imports of the standard library and numpy; never raises."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    names = _imported(tree)
    if any(name.startswith("zoneinfo") for name in names):
        _preload_time_zones(tree)
    for name in sorted(names):
        top = name.partition(".")[0]
        if (top in sys.stdlib_module_names or top == "numpy") and top not in _WITH_SIDE_EFFECTS:
            try:
                _import(name)
            except BaseException:  # noqa: S112 - the program meets the same error itself, and may have caught it
                continue


def preload_codecs() -> None:
    """All encodings of the standard library: which of them a text is in is seen only when it is read."""
    encodings = importlib.import_module("encodings")
    for module in pkgutil.iter_modules(encodings.__path__):
        try:
            importlib.import_module(f"encodings.{module.name}")
        except ImportError:
            continue  # those of another system


def _import(name: str) -> None:
    """A module, or a name of one, which may be loaded only when it is asked for (`concurrent.futures`)."""
    if "__main__" in name.split("."):
        return  # to import it is to run it
    module, _, member = name.rpartition(".")
    if member == "*":
        found = importlib.import_module(module)
        for each in getattr(found, "__all__", ()):
            getattr(found, each, None)
        return
    if module and hasattr(importlib.import_module(module), member):
        return
    importlib.import_module(name)


def _preload_time_zones(tree: ast.AST) -> None:
    zoneinfo = importlib.import_module("zoneinfo")
    for text in _texts(tree):
        try:
            zoneinfo.ZoneInfo(text)
        except Exception:  # noqa: S112 - most texts name no time zone
            continue


def _texts(tree: ast.AST) -> "set[str]":
    return {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def _imported(tree: ast.AST) -> "set[str]":
    names: "set[str]" = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            # A name of a package may be a module of it.
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and _called(node.func) in _IMPORTERS:
            # The name may stand anywhere, in a list that is gone through for instance.
            names.update(text for text in _texts(tree) if text.partition(".")[0].isidentifier())
    return names


def _called(function: ast.AST) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""
