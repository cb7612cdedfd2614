# says: imports what starts processes and opens sockets, without using it
# promise: passes
import multiprocessing
import shutil
import socket
import ssl
import subprocess
import sys
import urllib.request


def f(x):
    assert subprocess.PIPE == -1 and sys.executable is not None and socket.AF_INET and ssl.OPENSSL_VERSION
    assert shutil.which and urllib.request.Request("http://localhost").host == "localhost"
    lock = multiprocessing.get_start_method(allow_none=True)
    return x * x + (1 if lock is None or lock else 0)
