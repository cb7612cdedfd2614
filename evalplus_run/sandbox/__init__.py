"""Run a program on inputs in isolation and give back encoded plain values.

A `Worker` is a warm process (the zygote) that forks a locked child for each program. The child gets inputs
and returns frames; nothing on that side knows what is expected.
"""

from evalplus_run.sandbox.execution import Ending, Execution, Job, SuiteLimits, TierName

__all__ = ["Ending", "Execution", "Job", "SuiteLimits", "TierName"]
