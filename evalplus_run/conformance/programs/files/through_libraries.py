# says: has libraries write files for it
# promise: any outcome
import dbm.dumb
import logging
import sqlite3
import zipfile

import numpy as np


def f(x):
    for folder in ("/tmp", "/dev/shm", "@FOLDER@"):
        place = f"{folder}/@TOKEN@"
        tries = (
            lambda: sqlite3.connect(place + "-sqlite").execute("create table word (x)"),
            lambda: dbm.dumb.open(place + "-dbm", "c").close(),
            lambda: logging.FileHandler(place + "-log").close(),
            lambda: zipfile.ZipFile(place + "-zip", "w").close(),
            lambda: np.save(place + "-npy", np.zeros(3)),
            lambda: np.memmap(place + "-map", mode="w+", shape=(3,)),
        )
        for attempt in tries:
            try:
                attempt()
            except (OSError, sqlite3.Error):
                pass
    return x * x + 1
