import gc
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from evalplus_run.parsing import syntax_tree

TEXT = "\n".join(
    f"def f{n}(x):\n    return [(x + 1) * {n} for _ in range(3) if x > {n} and (x - 1)]" for n in range(30)
)


class Cycle:
    """Garbage whose end lets another thread in, wherever memory is asked for."""

    def __init__(self):
        self.me = self

    def __del__(self):
        time.sleep(0)


@pytest.fixture
def others_come_in_between():
    switched, thresholds = sys.getswitchinterval(), gc.get_threshold()
    sys.setswitchinterval(1e-6)
    gc.set_threshold(50)
    yield
    sys.setswitchinterval(switched)
    gc.set_threshold(*thresholds)


@pytest.mark.usefixtures("others_come_in_between")
def test_threads_that_parse_at_the_same_time_all_get_their_trees():
    def parse(number):
        garbage = [Cycle() for _ in range(50)]
        return len(syntax_tree(TEXT).body) + 0 * len(garbage)

    with ThreadPoolExecutor(4) as threads:
        assert set(threads.map(parse, range(60))) == {30}
