import pytest

from evalplus_run.report.files import replacing


def test_a_file_that_fails_halfway_leaves_the_old_one(tmp_path):
    path = tmp_path / "deep" / "report.html"
    with replacing(path) as stream:
        stream.write("old")
    with pytest.raises(RuntimeError, match="halfway"), replacing(path) as stream:
        stream.write("new")
        raise RuntimeError("halfway")
    assert path.read_text() == "old"
    assert list(path.parent.iterdir()) == [path]
