"""Sample, sanitize, sandbox, judge and score code models on HumanEval+, MBPP+ and benchmarks of your own."""

__version__ = "0.1.0"
