# says: returns objects of types whose names no report can print
# promise: wrong


def f(x):
    name = {3: "a" * 100_000, 11: "\ud800\n</script>", 20: "int"}.get(x, "\x1b]0;word\x07")
    kind = type("Word", (), {})
    kind.__name__ = name
    return kind()
