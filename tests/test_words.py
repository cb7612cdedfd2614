import pytest

from evalplus_run.words import counted


@pytest.mark.parametrize(("number", "told"), [(0, "0 tasks"), (1, "1 task"), (2, "2 tasks"), (1234, "1,234 tasks")])
def test_one_is_told_in_the_singular_and_thousands_have_commas(number, told):
    assert counted(number, "task") == told
