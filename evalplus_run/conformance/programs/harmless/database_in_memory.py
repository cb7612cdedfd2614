# says: asks a database in memory
# promise: passes
import sqlite3


def f(x):
    return sqlite3.connect(":memory:").execute("select ? * ? + 1", (x, x)).fetchone()[0]
