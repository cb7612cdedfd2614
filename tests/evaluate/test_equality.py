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


def test_an_integer_too_long_for_decimals_has_a_shape():
    longest = f"x = 0x{'f' * 4000}\n"
    assert shape_of(longest) == shape_of(longest) != shape_of(longest + "# a comment")


def test_lines_of_a_text_without_a_tree_stay():
    assert line_at(place_of(3, "x = 1\n\ndef f(x)\n"), "x = 1\n\ndef f(x)\n") == 3
