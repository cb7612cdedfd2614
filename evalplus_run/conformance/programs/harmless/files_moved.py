# says: copies, moves and packs temporary files by the helpers of the standard library
# promise: passes
# not in: seccomp-only
import pathlib
import shutil
import tempfile
import zipfile


def f(x):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "a.txt").write_text(str(x))
        (folder / "kept").mkdir()
        shutil.copy2(folder / "a.txt", folder / "b.txt")
        shutil.move(folder / "a.txt", folder / "kept" / "a.txt")
        shutil.copytree(folder / "kept", folder / "again")
        with zipfile.ZipFile(folder / "all.zip", "w") as packed:
            packed.write(folder / "b.txt", "b.txt")
        with zipfile.ZipFile(folder / "all.zip") as packed:
            return int(packed.read("b.txt")) * int((folder / "again" / "a.txt").read_text()) + 1
