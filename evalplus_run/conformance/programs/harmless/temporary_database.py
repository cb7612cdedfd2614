# says: keeps its work in a database among its temporary files
# promise: passes
# not in: seccomp-only
import os
import sqlite3
import tempfile


def f(x):
    handle, name = tempfile.mkstemp()
    os.close(handle)
    database = sqlite3.connect(name)
    database.execute("create table numbers (x)")
    database.execute("insert into numbers values (?)", (x,))
    database.commit()
    (found,) = database.execute("select x * x + 1 from numbers").fetchone()
    database.close()
    os.unlink(name)
    return found
