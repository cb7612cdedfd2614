# says: has a main function that exits, and catches it
# promise: passes
import argparse
import sys


def f(x):
    for leave in (sys.exit, exit, quit, lambda: argparse.ArgumentParser().parse_args(["--nothing"])):
        try:
            leave()
        except SystemExit:
            pass
    return x * x + 1
