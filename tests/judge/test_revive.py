import pytest

from evalplus_run.judge import Foreign, Malformed
from evalplus_run.judge.revive import revive
from evalplus_run.judge.strict import lower

COLLIDING = [(number * (2**61 - 1), 1) for number in range(100)]
"""Different tuples with one hash: Python's hash of a number is its rest by this one."""


@pytest.mark.parametrize(
    ("name", "value"), [("|S2", 1 << 33), ("<U2", 1 << 33), ("<i8", "1"), ("<f8", "1"), ("|b1", 1), ("<i8", True)]
)
def test_a_scalar_whose_content_is_of_another_kind_is_refused_and_costs_nothing(name, value):
    with pytest.raises(ValueError, match=name.replace("|", r"\|")):
        revive(Foreign("numpy scalar", name, value))


def test_a_bytearray_of_a_number_is_refused():
    with pytest.raises(TypeError):
        revive(Foreign("bytearray", "", 1 << 33))


@pytest.mark.parametrize("work", [revive, lower])
def test_members_that_collide_only_once_they_live_are_refused(work):
    members = frozenset(Foreign("subclass", f"T{number}", member) for number, member in enumerate(COLLIDING))
    with pytest.raises(Malformed, match="colliding"):
        work(members)
