# says: encodes texts by codecs that are loaded when they are first asked for
# promise: passes


def f(x):
    assert "bücher.example".encode("idna") == b"xn--bcher-kva.example"
    assert "bücher".encode("punycode") == b"bcher-kva"
    assert "é".encode("latin-1").decode("cp1252").encode("utf-16") and "a".encode("rot13" if False else "ascii")
    assert b"YQ==\n" == __import__("codecs").encode(b"a", "base64")
    return x * x + len("ß".encode("cp850"))
