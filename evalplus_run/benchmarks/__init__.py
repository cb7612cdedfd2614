"""Where tasks come from: the registry with its checksums, readers, embedded data, your own files."""

from evalplus_run.benchmarks.humaneval import RECORDER, recording_program
from evalplus_run.benchmarks.load import load
from evalplus_run.benchmarks.settings import DatasetSettings

__all__ = ["RECORDER", "DatasetSettings", "load", "recording_program"]
