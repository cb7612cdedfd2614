import gzip
import os
import resource
from pathlib import Path

import pytest

from evalplus_run.files import cache_folder, open_regular, read_whole, replacing, unpacked, user_path, write_whole


def test_a_file_that_fails_halfway_leaves_the_old_one(tmp_path):
    path = tmp_path / "deep" / "report.html"
    with replacing(path) as stream:
        stream.write("old")
    with pytest.raises(RuntimeError, match="halfway"), replacing(path) as stream:
        stream.write("new")
        raise RuntimeError("halfway")
    assert path.read_text() == "old"
    assert list(path.parent.iterdir()) == [path]


def test_what_is_no_file_is_not_replaced_and_a_fault_names_the_file_itself(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="no regular file.*pipe"):
        write_whole(tmp_path / "pipe", b"")
    assert (tmp_path / "pipe").is_fifo()
    with pytest.raises(OSError, match="/proc/nothing'"):
        write_whole(Path("/proc/nothing"), b"")


def test_a_write_that_fails_names_the_file_and_leaves_nothing(tmp_path):
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, hard))
    try:
        with pytest.raises(OSError, match=r"too large.*a\.bin"):
            write_whole(tmp_path / "a.bin", bytes(100))
        with pytest.raises(OSError, match=r"too large.*b\.txt"), replacing(tmp_path / "b.txt") as stream:
            stream.write("x" * 100)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert not list(tmp_path.iterdir())


def test_a_file_written_whole_can_be_read_by_others(tmp_path):
    write_whole(tmp_path / "a.bin", b"content")
    assert (tmp_path / "a.bin").read_bytes() == b"content"
    assert (tmp_path / "a.bin").stat().st_mode & 0o444 == 0o444


def test_a_pipe_a_device_and_a_folder_are_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, Path("/dev/zero")):
        with pytest.raises(OSError, match="no regular file"):
            open_regular(path)


@pytest.mark.parametrize("name", ["a\0b", "\ud800"])
def test_a_name_that_no_file_can_have_is_an_os_error(tmp_path, name):
    with pytest.raises(OSError, match="no file can have that name"):
        read_whole(tmp_path / name)


def test_a_file_is_unpacked_by_its_name(tmp_path):
    for name, content in (("a.gz", gzip.compress(b"1\n2\n")), ("a", b"1\n2\n")):
        (tmp_path / name).write_bytes(content)
        with unpacked(tmp_path / name) as lines:
            assert list(lines) == [b"1\n", b"2\n"]


def test_the_home_folder_of_nobody_is_left_as_it_is_written(monkeypatch):
    monkeypatch.setenv("HOME", "/home/me")
    assert user_path("~/a") == Path("/home/me/a")
    assert user_path("~no such user/a") == Path("~no such user/a")


def test_the_cache_is_the_users_own_unless_it_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("EVALPLUS_RUN_CACHE", str(tmp_path))
    assert cache_folder("datasets") == tmp_path / "datasets"
    monkeypatch.delenv("EVALPLUS_RUN_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_folder("datasets").parent.name == "evalplus_run"
