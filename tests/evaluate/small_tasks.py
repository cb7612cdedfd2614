"""Small tasks and the rules of the tests."""

from evalplus_run.evaluate.judging import Rules
from evalplus_run.evaluate.settings import EvaluateSettings
from evalplus_run.records import Task
from evalplus_run.sandbox import tiers
from evalplus_run.sandbox.settings import SandboxSettings

TIER = tiers.choose_tier(SandboxSettings(allow_unsafe=True))
RULES = Rules(1 << 30, EvaluateSettings(min_time_limit=1.0), TIER)


def task(reference="def f(x):\n    return x + 1\n", base=((1,), (2,)), plus=((3,), (10,)), **fields):
    """A task with the entry point f."""
    return Task("Test/0", "", "f", reference, tuple(base), tuple(plus), **fields)
