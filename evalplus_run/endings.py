"""How the command ends: each error that is no bug as a sentence and an exit status."""

from __future__ import annotations

import errno

from evalplus_run.errors import RunFailed, UserError

TOLD = (UserError, RunFailed, OSError)
"""The errors that have a sentence."""

_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EIO}


def ending(error: UserError | RunFailed | OSError) -> tuple[str, int]:
    """What the user is told, and the exit status: 2 for wrong use, 1 where the run failed."""
    if not isinstance(error, OSError):
        return str(error), 2 if isinstance(error, UserError) else 1
    why = error.strerror or str(error) or type(error).__name__
    if error.filename is None:
        return f"the system failed ({why}): mend that, and give the same command again.", 1
    sentence = f"{error.filename} cannot be used ({why}): mend that, or give another path."
    return sentence, 1 if error.errno in _DISK else 2
