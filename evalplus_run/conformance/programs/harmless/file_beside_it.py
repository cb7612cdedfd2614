# says: writes a file into the folder it is in, by a name alone, and reads it again
# promise: passes
# not in: seccomp-only
import csv
import gzip
import os


def f(x):
    with open("notes.csv", "w", newline="") as file:
        csv.writer(file).writerows([[x, 1], [x, x]])
    with open("notes.csv") as file:
        rows = [[int(cell) for cell in row] for row in csv.reader(file)]
    with gzip.open("notes.gz", "wb") as file:
        file.write(b"word" * 1000)
    os.replace("notes.gz", "other.gz")
    return rows[1][0] * rows[1][1] + 1
