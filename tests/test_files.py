import pytest

from evalplus_run.files import cache_folder, replacing, write_whole


def test_a_file_that_fails_halfway_leaves_the_old_one(tmp_path):
    path = tmp_path / "deep" / "report.html"
    with replacing(path) as stream:
        stream.write("old")
    with pytest.raises(RuntimeError, match="halfway"), replacing(path) as stream:
        stream.write("new")
        raise RuntimeError("halfway")
    assert path.read_text() == "old"
    assert list(path.parent.iterdir()) == [path]


def test_a_file_written_whole_can_be_read_by_others(tmp_path):
    write_whole(tmp_path / "a.bin", b"content")
    assert (tmp_path / "a.bin").read_bytes() == b"content"
    assert (tmp_path / "a.bin").stat().st_mode & 0o444 == 0o444


def test_the_cache_is_the_users_own_unless_it_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("EVALPLUS_RUN_CACHE", str(tmp_path))
    assert cache_folder("datasets") == tmp_path / "datasets"
    monkeypatch.delenv("EVALPLUS_RUN_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_folder("datasets").parent.name == "evalplus_run"
