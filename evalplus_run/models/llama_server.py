"""The child that serves a GGUF file with llama.cpp on loopback; run as a script, on its own.

Prints its address as one line on stdout when the model is loaded, logs on stderr, and ends when its parent
dies or closes its stdin.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import signal
import sys
from typing import Any

_PR_SET_PDEATHSIG = 1
_ERRORS_ONLY = 1


def main() -> None:
    """Load, say where, serve until stdin ends."""
    options = _options()
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    # Whatever the library prints must not mix with the one line that the parent reads.
    answer = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    try:
        server = _serve(options)
    except Exception as error:
        sys.exit(str(error))
    os.write(answer, f"{server.listening_address}\n".encode())
    os.close(answer)
    sys.stdin.buffer.read()
    os._exit(0)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("--slots", type=int, required=True)
    parser.add_argument("--context", type=int, required=True, help="tokens for each slot")
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--chat-template", default="", help="Jinja source in place of the file's own")
    return parser.parse_args()


def _serve(options: argparse.Namespace) -> Any:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = options.model
    params.n_parallel = options.slots
    params.n_ctx = options.slots * options.context
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = options.threads
    params.use_jinja = True
    params.chat_template = options.chat_template
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.warmup = params.ui = params.endpoint_slots = params.fit_params = False
    params.verbosity = _ERRORS_ONLY
    params.cache_ram_mib = 0
    return xllamacpp.Server(params)


if __name__ == "__main__":
    main()
