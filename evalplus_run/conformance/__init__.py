"""Programs that cheat, escape, hang or bomb, and harmless ones beside them, judged for real: does a tier keep its word?

Each program says what is promised of it. All are harmless by construction: bounded in size and time, and what they
try to reach was put there for them.
"""

from evalplus_run.conformance.catalogue import ConformanceProgram, Promise, load_programs
from evalplus_run.conformance.runner import LOCKED_TIERS, Finding, conform

__all__ = ["LOCKED_TIERS", "ConformanceProgram", "Finding", "Promise", "conform", "load_programs"]
