"""What programs may do, in real children, in every tier that this machine gives."""

import pytest
from running import run

WRITERS = {
    "a temporary file": (
        "import tempfile\ndef add(x, y):\n"
        "    with tempfile.TemporaryFile('w+') as f:\n"
        "        f.write(str(x + y)); f.seek(0)\n        return int(f.read())"
    ),
    "a named temporary file": (
        "import os, tempfile\ndef add(x, y):\n"
        "    with tempfile.NamedTemporaryFile('w', delete=False) as f: f.write(str(x + y))\n"
        "    try: return int(open(f.name).read())\n    finally: os.remove(f.name)"
    ),
    "a temporary folder": (
        "import os, shutil, tempfile\ndef add(x, y):\n"
        "    with tempfile.TemporaryDirectory() as d:\n"
        "        os.makedirs(os.path.join(d, 'a', 'b'))\n"
        "        path = os.path.join(d, 'a', 'b', 'c')\n"
        "        with open(path, 'w') as f: f.write(str(x + y))\n"
        "        shutil.copy(path, path + '2'); os.rename(path + '2', path + '3')\n"
        "        return int(open(path + '3').read())"
    ),
    "a file where it stands": (
        "def add(x, y):\n    with open('out.txt', 'w') as f: f.write(str(x + y))\n"
        "    return int(open('out.txt').read())"
    ),
    "a database": (
        "import sqlite3\ndef add(x, y):\n    c = sqlite3.connect('a.db')\n"
        "    c.execute('create table if not exists t (v)')\n"
        "    c.execute('insert into t values (?)', (x + y,)); c.commit()\n"
        "    return c.execute('select v from t order by rowid desc').fetchone()[0]"
    ),
    "a mapped file": (
        "import mmap\ndef add(x, y):\n    with open('a', 'w+b') as f:\n        f.truncate(4096)\n"
        "        with mmap.mmap(f.fileno(), 0) as m:\n            m[0] = x + y; m.flush()\n        return f.read(1)[0]"
    ),
    "room in a file": (
        "import os\ndef add(x, y):\n    with open('a', 'w+b') as f:\n"
        "        os.posix_fallocate(f.fileno(), 0, x + y)\n        return os.path.getsize('a')"
    ),
    "the null device": "import os\ndef add(x, y):\n    print('a', file=open(os.devnull, 'w'))\n    return x + y",
}


@pytest.mark.parametrize("name", WRITERS)
def test_programs_that_write_temporary_files_pass(writing, name):
    assert run(writing, WRITERS[name]).values == [3, 7, 11, 11, 11]


HARMLESS = {
    "memory that could be shared": (
        "import mmap, time\nmaps = [mmap.mmap(-1, 4096) for _ in range(9)]\n"
        "def add(x, y):\n    time.sleep(0.1)\n    return x + y"
    ),
    "all of numpy": "from numpy import *\ndef add(x, y): return array([x, y]).sum().item()",
    "a package that may be missing": (
        "try: import pytest\nexcept ImportError: pytest = None\ndef add(x, y): return x + y"
    ),
    "threads": (
        "import threading\ndef add(x, y):\n    out = []\n"
        "    t = threading.Thread(target=lambda: out.append(x + y)); t.start(); t.join()\n    return out[0]"
    ),
    "a thread that outlives": (
        "import threading, time\nthreading.Thread(target=time.sleep, args=(600,)).start()\ndef add(x, y): return x + y"
    ),
    "asyncio": "import asyncio\nasync def f(v): return v\ndef add(x, y): return asyncio.run(f(x + y))",
    "printing": "import sys\ndef add(x, y):\n    print('x' * 10**6); sys.stdout.buffer.write(b'x')\n    return x + y",
    "environment": "import os\nos.environ['A'] = 'b'\ndef add(x, y): return x + y",
    "deep recursion": (
        "import sys\nsys.setrecursionlimit(70000)\ndef f(n): return 0 if n == 0 else 1 + f(n - 1)\n"
        "def add(x, y): return x + y + f(60000) - 60000"
    ),
    "default recursion limit": (
        "def f(n): return 0 if n == 0 else 1 + f(n - 1)\ndef add(x, y): return f(980) * 0 + x + y"
    ),
    "main guard": "def add(x, y): return x + y\nif __name__ == '__main__':\n    raise SystemExit(3)",
    "dataclasses": (
        "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\n    y: 'int'\n"
        "def add(x, y): return P(x, y).x + y"
    ),
    "modules not loaded yet": (
        "import sqlite3, lzma, xml.dom.minidom\nfrom email import utils\ndef add(x, y): return x + y"
    ),
    "a pool of threads": (
        "from concurrent.futures import ThreadPoolExecutor\ndef add(x, y):\n"
        "    with ThreadPoolExecutor(2) as pool: return pool.submit(lambda: x + y).result()"
    ),
    "a module imported late": "def add(x, y):\n    import difflib, numpy.linalg\n    return x + y",
    "modules of numpy imported late": (
        "def add(x, y):\n    import numpy as np\n    np.random.seed(1); np.random.default_rng(1).random()\n"
        "    np.fft.fft([1.0, 2.0]); np.polynomial.Polynomial([1]); np.linalg.det(np.eye(2))\n    return x + y"
    ),
    "codecs": (
        "def add(x, y):\n    'é'.encode('latin-1'); 'é'.encode('cp1252'); 'é.com'.encode('idna')\n"
        "    'é'.encode('punycode'); '日'.encode('shift_jis'); return x + y"
    ),
    "a module by its name": (
        "import importlib\ndef add(x, y):\n    importlib.import_module('wave'); __import__('colorsys'); return x + y"
    ),
    "an alarm": (
        "import signal\ndef add(x, y):\n    signal.signal(signal.SIGALRM, lambda *_: None)\n"
        "    signal.alarm(5); signal.alarm(0); signal.raise_signal(signal.SIGALRM); return x + y"
    ),
    "numpy": "import numpy as np\ndef add(x, y): return int(np.array([x, y]).sum())",
}


@pytest.mark.parametrize("name", HARMLESS)
def test_harmless_programs_pass(worker, name):
    assert run(worker, HARMLESS[name]).values == [3, 7, 11, 11, 11]


def test_reading_standard_input_is_an_error(worker):
    seen = run(worker, "import sys\ndef add(x, y):\n    return sys.stdin.read() if x == 1 else input()")
    assert {kind for kind, _, _ in seen.errors} == {"OSError"}
