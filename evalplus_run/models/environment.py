"""What a child process gets to see of this one's environment."""

from __future__ import annotations

import os
import re

_SECRET = re.compile("KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL", re.IGNORECASE)


def without_secrets() -> dict[str, str]:
    """The environment without the variables that are named like secrets."""
    return {name: value for name, value in os.environ.items() if not _SECRET.search(name)}
