"""Entry of the supervisor: `python -s -P -B FILE TIER PRIORITY HASH_SEED`, by path since nothing need be installed.

The package around this file is taken and no other of its name; nothing is added to the module search path.
"""

import importlib.util
import sys
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[2]


def _load() -> None:
    spec = importlib.util.spec_from_file_location(
        "evalplus_run", _PACKAGE / "__init__.py", submodule_search_locations=[str(_PACKAGE)]
    )
    assert spec is not None and spec.loader is not None  # noqa: S101 - for the type checker
    package = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = package
    spec.loader.exec_module(package)


if __name__ == "__main__":
    _load()
    serve = importlib.import_module("evalplus_run.sandbox.supervisor.serve")
    serve.main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
