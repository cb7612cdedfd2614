"""Another tool's file of verdicts, as reports take it: the benchmark that it is of, its scores, its samples."""

from evalplus_run.recorded.run import RecordedRun, read

__all__ = ["RecordedRun", "read"]
