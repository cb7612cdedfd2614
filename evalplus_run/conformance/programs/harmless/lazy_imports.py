# says: imports inside its function what a module would have imported at its head
# promise: passes


def f(x):
    import decimal
    import difflib
    import fractions
    import html
    import shlex
    import statistics
    import xml.etree.ElementTree as tree
    from email.message import EmailMessage
    from http import HTTPStatus

    assert html.escape("<") == "&lt;" and shlex.split("a b") == ["a", "b"] and difflib.get_close_matches("a", ["a"])
    assert tree.fromstring("<a/>").tag == "a" and HTTPStatus.OK == 200 and EmailMessage() is not None
    return int(decimal.Decimal(x) ** 2) + int(fractions.Fraction(1)) + statistics.median([0, 0])
