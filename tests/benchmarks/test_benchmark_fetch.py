import gzip
import hashlib
import json
import os
import subprocess
import sys
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import evalplus_run
from evalplus_run.benchmarks import DatasetSettings, registry
from evalplus_run.benchmarks.fetch import fetch, from_cache
from evalplus_run.benchmarks.registry import Release
from evalplus_run.records import UserError

ROW = {"task_id": "T/0", "prompt": "", "entry_point": "f", "canonical_solution": "f = abs", "base_input": [[1]]}
DATA = json.dumps(ROW).encode()
PACKED = gzip.compress(DATA)
OTHER = DATA.replace(b"T/0", b"T/1")


class Server:
    """A real web server on loopback; `files` is what it has, `asked` what it was asked for."""

    def __init__(self):
        self.files = {}
        self.asked = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                server.asked.append(self.path)
                body = server.files.get(self.path)
                self.send_response(404 if body is None else 200)
                self.end_headers()
                self.wfile.write(body or b"")

            def log_message(self, *_):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}"
        threading.Thread(target=self.http.serve_forever, args=(0.01,), daemon=True).start()


@pytest.fixture
def server():
    server = Server()
    yield server
    server.http.shutdown()
    server.http.server_close()


@pytest.fixture
def release(server, monkeypatch):
    """The only known release: current, at two addresses of the loopback server."""
    release = Release(
        name="humaneval_plus",
        version="v9",
        variant="full",
        stem="HumanEvalPlus",
        sha256=hashlib.sha256(DATA).hexdigest(),
        md5=hashlib.md5(DATA).hexdigest(),
        size=164,
        urls=(f"{server.url}/first", f"{server.url}/second"),
    )
    monkeypatch.setattr(registry, "RELEASES", (release,))
    return release


def test_a_download_is_kept_and_not_made_again(server, release, cache):
    server.files["/first"] = PACKED
    for _ in range(2):
        content = fetch(DatasetSettings())
        assert content.data == DATA
        assert content.source == str(cache / "HumanEvalPlus-v9.jsonl.gz")
    assert server.asked == ["/first"]


def test_a_kept_download_can_be_read_by_others(server, release, cache):
    server.files["/first"] = PACKED
    fetch(DatasetSettings())
    assert (cache / release.file_name).stat().st_mode & 0o444 == 0o444


def test_a_download_leaves_nothing_beside_its_file_and_lock(server, release, cache):
    server.files["/second"] = PACKED
    fetch(DatasetSettings())
    assert sorted(path.name for path in cache.iterdir()) == [release.file_name, f"{release.file_name}.lock"]


@pytest.mark.parametrize("first", [None, OTHER, gzip.compress(OTHER), PACKED[:-5], b""])
def test_where_the_first_address_fails_the_second_is_asked(server, release, first):
    server.files |= {"/second": PACKED} | ({"/first": first} if first is not None else {})
    assert fetch(DatasetSettings()).data == DATA
    assert server.asked == ["/first", "/second"]


def test_a_packed_file_of_another_digest_is_refused_where_its_digest_is_known(server, release, cache):
    server.files["/first"] = gzip.compress(DATA, mtime=1)
    server.files["/second"] = gzip.compress(DATA, mtime=2)
    known = replace(release, gzip_sha256=hashlib.sha256(server.files["/second"]).hexdigest())
    assert from_cache(known, cache).data == DATA
    assert server.asked == ["/first", "/second"]


def test_without_a_download_one_sentence_names_the_addresses_and_the_ways_out(server, release, cache):
    server.files["/second"] = OTHER
    with pytest.raises(UserError) as caught:
        fetch(DatasetSettings())
    message = str(caught.value)
    assert f"{server.url}/first (HTTP 404) or {server.url}/second (another content)" in message
    assert str(cache / "HumanEvalPlus-v9.jsonl.gz") in message
    assert "dataset.path=FILE" in message
    assert not (cache / "HumanEvalPlus-v9.jsonl.gz").exists()


def test_without_a_network_nothing_but_a_user_error_is_seen(release, cache):
    closed = replace(release, urls=("http://127.0.0.1:1/file",))
    program = (
        "import sys; from pathlib import Path; from evalplus_run.records import UserError\n"
        "from evalplus_run.benchmarks.fetch import from_cache; from evalplus_run.benchmarks.registry import Release\n"
        f"try: from_cache({closed!r}, Path({str(cache)!r}))\n"
        "except UserError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=child_env())
    assert done.stderr == ""
    assert "http://127.0.0.1:1/file (ConnectionError)" in done.stdout
    assert done.stdout.count("\n") == 1


def child_env():
    return os.environ | {"PYTHONPATH": str(Path(evalplus_run.__file__).parents[1])}


def test_two_processes_at_once_share_one_download(server, release, cache):
    server.files["/first"] = PACKED
    program = (
        "import sys; from pathlib import Path\n"
        "from evalplus_run.benchmarks.fetch import from_cache; from evalplus_run.benchmarks.registry import Release\n"
        f"sys.stdin.read(); print(from_cache({release!r}, Path({str(cache)!r})).sha256)\n"
    )
    children = [
        subprocess.Popen(
            [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=child_env()
        )
        for _ in range(3)
    ]
    for child in children:
        child.stdin.close()
    assert [child.stdout.read().strip() for child in children] == [release.sha256] * 3
    assert [child.wait() for child in children] == [0, 0, 0]
    for child in children:
        child.stdout.close()
    assert server.asked == ["/first"]


@pytest.mark.parametrize("damaged", [PACKED[:-5], OTHER, b""])
def test_a_damaged_file_in_the_cache_is_replaced(server, release, cache, damaged):
    cache.mkdir(parents=True)
    (cache / release.file_name).write_bytes(damaged)
    server.files["/first"] = PACKED
    assert fetch(DatasetSettings()).data == DATA
    assert (cache / release.file_name).read_bytes() == PACKED


def test_a_file_put_into_the_cache_by_hand_is_used_packed_anew_or_not_packed(server, release, cache):
    cache.mkdir(parents=True)
    for data in (DATA, gzip.compress(DATA, compresslevel=1, mtime=7)):
        (cache / release.file_name).write_bytes(data)
        assert fetch(DatasetSettings()).data == DATA
    assert server.asked == []


def test_a_cache_that_cannot_be_made_names_its_variable(release, monkeypatch, tmp_path):
    (tmp_path / "file").touch()
    monkeypatch.setenv("EVALPLUS_RUN_CACHE", str(tmp_path / "file"))
    with pytest.raises(UserError, match=r"cannot be kept in .* EVALPLUS_RUN_CACHE"):
        fetch(DatasetSettings())


@pytest.mark.parametrize(
    "name", ["HumanEvalPlus.jsonl.gz", "HumanEvalPlus.jsonl", "HumanEvalPlus-v9.jsonl.gz", "HumanEvalPlus-v9.jsonl"]
)
def test_a_folder_of_official_files_comes_before_the_cache(server, release, monkeypatch, tmp_path, name):
    (tmp_path / name).write_bytes(PACKED if name.endswith("gz") else DATA)
    monkeypatch.setenv("EVALPLUS_RUN_DATA", str(tmp_path))
    assert fetch(DatasetSettings()).source == str(tmp_path / name)
    assert server.asked == []


def test_a_folder_without_the_file_lets_the_cache_answer(server, release, monkeypatch, tmp_path):
    server.files["/first"] = PACKED
    monkeypatch.setenv("EVALPLUS_RUN_DATA", str(tmp_path))
    assert fetch(DatasetSettings()).data == DATA


def test_an_older_release_is_never_looked_for_under_the_bare_name(server, release, monkeypatch, tmp_path):
    old = replace(release, version="v8", sha256=hashlib.sha256(OTHER).hexdigest(), urls=(f"{server.url}/old",))
    monkeypatch.setattr(registry, "RELEASES", (release, old))
    monkeypatch.setenv("EVALPLUS_RUN_DATA", str(tmp_path))
    (tmp_path / "HumanEvalPlus.jsonl").write_bytes(DATA)
    server.files["/old"] = gzip.compress(OTHER)
    assert fetch(DatasetSettings(version="v8")).data == OTHER


def test_a_wrong_file_in_the_folder_is_refused_and_not_passed_over(release, monkeypatch, tmp_path):
    (tmp_path / "HumanEvalPlus.jsonl").write_bytes(OTHER)
    monkeypatch.setenv("EVALPLUS_RUN_DATA", str(tmp_path))
    with pytest.raises(UserError, match=r"HumanEvalPlus.jsonl is not HumanEval\+ v9.*unset EVALPLUS_RUN_DATA"):
        fetch(DatasetSettings())


def test_a_folder_that_is_none_is_refused(release, monkeypatch, tmp_path):
    monkeypatch.setenv("EVALPLUS_RUN_DATA", str(tmp_path / "nowhere"))
    with pytest.raises(UserError, match=r"EVALPLUS_RUN_DATA names .*nowhere, which is no folder"):
        fetch(DatasetSettings())


@pytest.mark.parametrize(
    ("name", "variable"),
    [("humaneval_plus", "HUMANEVAL_OVERRIDE_PATH"), ("mbpp_plus", "MBPP_OVERRIDE_PATH")],
)
def test_evalplus_s_own_variable_comes_before_folder_and_cache(monkeypatch, tmp_path, name, variable):
    (tmp_path / "own.jsonl").write_bytes(OTHER)
    monkeypatch.setenv(variable, str(tmp_path / "own.jsonl"))
    monkeypatch.setenv("EVALPLUS_RUN_DATA", str(tmp_path / "nowhere"))
    assert fetch(DatasetSettings(name=name)).data == OTHER


def test_evalplus_s_own_variable_says_nothing_of_other_variants_and_benchmarks(monkeypatch, tmp_path):
    monkeypatch.setenv("HUMANEVAL_OVERRIDE_PATH", str(tmp_path / "nowhere.jsonl"))
    monkeypatch.setenv("EVALPLUS_RUN_DATA", str(tmp_path / "no folder"))
    assert fetch(DatasetSettings(name="humaneval")).source.endswith("HumanEval.jsonl.gz")
    with pytest.raises(UserError, match="no folder"):
        fetch(DatasetSettings(variant="mini"))


def test_a_path_comes_before_everything(monkeypatch, tmp_path):
    (tmp_path / "own.jsonl").write_bytes(OTHER)
    monkeypatch.setenv("HUMANEVAL_OVERRIDE_PATH", str(tmp_path / "nowhere.jsonl"))
    assert fetch(DatasetSettings(path=str(tmp_path / "own.jsonl"))).data == OTHER


def test_a_path_may_begin_with_the_home_folder(monkeypatch, tmp_path):
    (tmp_path / "own.jsonl").write_bytes(OTHER)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert fetch(DatasetSettings(name="custom", path="~/own.jsonl")).data == OTHER


def test_a_benchmark_of_your_own_needs_a_path():
    with pytest.raises(UserError, match=r"dataset.path=FILE"):
        fetch(DatasetSettings(name="custom"))


@pytest.mark.parametrize("asked", [{"version": "v9"}, {"variant": "mini"}])
def test_other_content_cannot_stand_for_a_release_that_was_asked_for(release, tmp_path, asked):
    (tmp_path / "own.jsonl").write_bytes(OTHER)
    with pytest.raises(UserError, match=r"own.jsonl is no official release: drop dataset.version"):
        fetch(DatasetSettings(path=str(tmp_path / "own.jsonl"), **asked))


@pytest.mark.parametrize("asked", [{"version": "v8"}, {"variant": "mini"}, {"name": "mbpp_plus"}, {"name": "custom"}])
def test_a_release_cannot_stand_for_another_one(release, tmp_path, asked):
    (tmp_path / "own.jsonl").write_bytes(DATA)
    with pytest.raises(UserError, match=r"own.jsonl is HumanEval\+ v9: set dataset=humaneval_plus"):
        fetch(DatasetSettings(path=str(tmp_path / "own.jsonl"), **asked))


def test_a_shipped_file_that_was_changed_is_refused(monkeypatch):
    [example] = [release for release in registry.RELEASES if release.name == "example"]
    monkeypatch.setattr(registry, "RELEASES", (replace(example, sha256="0" * 64),))
    with pytest.raises(UserError, match="install the package anew"):
        fetch(DatasetSettings(name="example"))
