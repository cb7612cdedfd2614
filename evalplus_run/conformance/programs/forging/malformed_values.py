# says: sends values that no value can be: cut off, too deep, with more items than bytes, of types that are none
# promise: never passes
import os
import random
import struct

SHAPES = (
    b"",
    b"i\1",
    b"l" + struct.pack("<i", -(1 << 31)) + b"\xff" * 60,
    b"[" + struct.pack("<I", 0xFFFFFFFF),
    b"[\1\0\0\0" * 200 + b"N",
    b"u" + struct.pack("<I", 4) + b"\xff\xfe\x80\x80",
    b"{\1\0\0\0[\0\0\0\0N",
    b"<\2\0\0\0TT",
    b"k\xff" + b"int" * 85 + b"N",
    b"n\x05<M8[s]i\1\0\0\0",
    b"n\x02O8i\1\0\0\0",
    b"a\x03<i4[\2\0\0\0[\1\0\0\0TN",
    b"r\0(\2\0\0\0i\1\0\0\0i\0\0\0\0",
    b"d\0(\2\0\0\0i\1\0\0\0i\xff\xff\xff\xff",
    b"!\xf5\xc0\xfe\xd7\xf9\xc1\xfdo\x03intN",
    b"x\x04listi\1\0\0\0",
    b"w\x03\0\0\0a\0b",
    b"c__builtin__\nexec\n",
)


def f(x):
    drawn = random.Random(x)
    for shape in SHAPES:
        noise = bytes(drawn.randrange(256) for _ in range(40))
        for payload in (shape, shape + noise, noise + shape):
            os.write(3, b"V" + struct.pack("<I", len(payload)) + payload)
    return 0
