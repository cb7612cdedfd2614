# says: copies, pickles, compresses and hashes values
# promise: passes
import bz2
import copy
import gzip
import hashlib
import json
import lzma
import pickle
import struct
import zlib


def f(x):
    value = {"x": [x, (1, 2.5)], "y": {3}}
    assert pickle.loads(pickle.dumps(value)) == copy.deepcopy(value) == value
    for module in (bz2, gzip, lzma, zlib):
        assert module.decompress(module.compress(b"word" * 1000)) == b"word" * 1000
    assert hashlib.new("sha3_256", b"a").hexdigest() and struct.unpack("<d", struct.pack("<d", 0.5)) == (0.5,)
    return json.loads(json.dumps({"n": x * x + 1}))["n"]
