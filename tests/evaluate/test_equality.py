"""Programs with equal syntax trees are equal, each with its own lines."""

from evalplus_run.evaluate.equality import line_at, place_of, shape_of


def test_layout_and_comments_leave_a_shape_equal_and_constants_do_not():
    assert shape_of("x = 1  # a\n") == shape_of("x  =  1\n")
    assert shape_of("x = 1\n") != shape_of("x = 2\n")


def test_a_text_without_a_tree_equals_itself_only():
    assert shape_of("(") == shape_of("(")
    assert shape_of("(") != shape_of("( ")


def test_a_line_of_one_program_is_found_in_another_of_equal_tree():
    place = place_of(2, "def f(x):\n    return [][x]\n")
    assert line_at(place, "# a comment\n\ndef f(x):\n\n    return [] [x]\n") == 5
