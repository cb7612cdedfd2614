"""The two errors that a user is told in one sentence. Standard library only: a sandbox's supervisor needs them too."""

from __future__ import annotations


class UserError(Exception):
    """What the user can mend: printed as one sentence without a traceback, exit status 2."""


class RunFailed(Exception):
    """What went wrong outside the user's input: printed as one sentence, exit status 1."""
