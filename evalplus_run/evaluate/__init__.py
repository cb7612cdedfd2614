"""Programs over sandboxes: references, the local pool, the cache of verdicts."""

from evalplus_run.evaluate.settings import EvaluateSettings, ExecutorSettings

__all__ = ["EvaluateSettings", "ExecutorSettings"]
