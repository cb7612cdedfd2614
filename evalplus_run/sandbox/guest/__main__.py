"""Entry of the zygote: `python -s -P -B DIR CONTROL SHARED TIER PRIORITY STOCK FOLDER`.

The folder is loaded under a name of its own, with nothing added to the module search path: a program under
test can import none of it by an ordinary name, and none of the package around it is imported.
"""

import importlib.util
import os
import sys

_NAME = "_evalplus_run_guest"


def _load() -> None:
    folder = os.path.dirname(os.path.abspath(__file__))
    spec = importlib.util.spec_from_file_location(
        _NAME, os.path.join(folder, "__init__.py"), submodule_search_locations=[folder]
    )
    assert spec is not None and spec.loader is not None  # noqa: S101 - for the type checker
    package = importlib.util.module_from_spec(spec)
    sys.modules[_NAME] = package
    spec.loader.exec_module(package)


if __name__ == "__main__":
    sys.path[:] = [path for path in sys.path if path and path != os.path.dirname(os.path.abspath(__file__))]
    _load()
    zygote = importlib.import_module(f"{_NAME}.zygote")
    arguments, sys.argv[1:] = sys.argv[1:], []
    zygote.main(int(arguments[0]), int(arguments[1]), *arguments[2:6])
