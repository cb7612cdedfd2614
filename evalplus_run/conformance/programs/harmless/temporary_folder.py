# says: makes a temporary folder, fills it, looks through it and removes it
# promise: passes
# not in: seccomp-only
import json
import os
import pathlib
import shutil
import tempfile


def f(x):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "below").mkdir()
        (folder / "below" / "a.json").write_text(json.dumps({"x": x}))
        shutil.copy(folder / "below" / "a.json", folder / "b.json")
        os.rename(folder / "b.json", folder / "c.json")
        (folder / "c.json").unlink()
        found = [json.loads(path.read_text())["x"] for path in folder.rglob("*.json")]
        assert os.listdir(folder) == ["below"]
    return found[0] ** 2 + 1
