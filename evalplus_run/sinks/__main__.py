"""The process that a sink's library runs in: `python -m evalplus_run.sinks NAME`, the results on standard input.

Of its own, since such libraries start threads and processes, ask at the keyboard, print, and wait for networks; and
the keys of models have no place there.
"""

from __future__ import annotations

import os
import sys
from typing import cast

import msgspec

from evalplus_run.sinks.base import Told
from evalplus_run.sinks.registry import sink_of
from evalplus_run.sinks.settings import SinkName


def main(name: str) -> int:
    """Send; standard output gets one line only: where it can be seen, or, with status 1, why it is not there."""
    told = msgspec.json.decode(sys.stdin.buffer.read(), type=Told)
    answer = os.dup(1)
    os.dup2(2, 1)  # whatever the library prints
    status = 0
    try:
        text = sink_of(cast("SinkName", name))(told)
    except BaseException as error:
        status, text = 1, f"{type(error).__name__}: {error}"
    os.write(answer, text.encode("utf-8", "replace"))
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
