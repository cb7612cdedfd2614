# says: formats numbers and texts by the machine's customs
# promise: passes
import gettext
import locale
import unicodedata


def f(x):
    locale.setlocale(locale.LC_ALL, "C")
    assert locale.format_string("%d", 1000, grouping=True) and gettext.gettext("a") == "a"
    assert unicodedata.normalize("NFD", "\xe9") == "e\u0301" and f"{1234.5:,.2f}" == "1,234.50"
    return x * x + 1
