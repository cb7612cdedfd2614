"""What a program finds beside the standard library: numpy, and nothing else that happens to be installed.

The rest of such a folder cannot be read. Found there all the same, it would fail for want of permission, which neither
numpy nor a program expects that can do without: they expect an ImportError.
"""

import os
import sys
from importlib.machinery import BuiltinImporter, FrozenImporter, ModuleSpec, PathFinder

_FOLDERS = ("site-packages", "dist-packages")


class _OnlyNumpy:
    """Finds it where it is installed."""

    def __init__(self, paths: "list[str]") -> None:
        self._paths = paths

    def find_spec(self, name: str, path: object = None, target: object = None) -> "ModuleSpec | None":
        """As importlib asks for it."""
        return PathFinder.find_spec(name, self._paths) if name == "numpy" else None


def hide_all_but_numpy() -> None:
    """In this process and all that it forks."""
    standard = os.path.dirname(os.__file__)
    paths = sys.path[:]
    sys.path[:] = [path for path in paths if _is_standard(path, standard)]
    # Packages bring finders of their own along, for what lies elsewhere.
    sys.meta_path[:] = [BuiltinImporter, FrozenImporter, PathFinder, _OnlyNumpy(paths)]


def _is_standard(path: str, standard: str) -> bool:
    if path.endswith(".zip"):
        return os.path.dirname(path) == os.path.dirname(standard)
    return (path + os.sep).startswith(standard + os.sep) and os.path.basename(path) not in _FOLDERS
