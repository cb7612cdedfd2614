"""Tests for benchmarks that have too few: inputs made by typed mutation, and small suites that keep their power.

Everything that runs code of a benchmark or of a model runs it in the sandbox. All random choices come from seeds, and
nothing hangs on time, on the order of sets or on how many workers there are, so the same inputs come out each time.
"""
