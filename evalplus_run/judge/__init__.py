"""Values against expected values: decoding, comparison, oracles, profiles."""

from evalplus_run.judge.decode import decode
from evalplus_run.judge.oracles import collects
from evalplus_run.judge.profiles import Judgement, SampleJudge, SuiteJudge
from evalplus_run.judge.text import shorten
from evalplus_run.judge.traits import holds_opaque, representable
from evalplus_run.judge.values import Foreign, Malformed, Opaque

__all__ = [
    "Foreign",
    "Judgement",
    "Malformed",
    "Opaque",
    "SampleJudge",
    "SuiteJudge",
    "collects",
    "decode",
    "holds_opaque",
    "representable",
    "shorten",
]
