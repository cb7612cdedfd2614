"""What a child process gets to see of this one's environment, and what engines on the cores are told by it."""

from __future__ import annotations

import os
import re

SHORT_SPIN = {"GOMP_SPINCOUNT": "1000"}
"""How long OpenMP's threads spin for each other before they sleep. By default so long that a program which
holds one of the cores takes most of the speed away; short, it costs next to nothing where none does."""

_SECRET = re.compile("KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL", re.IGNORECASE)


def without_secrets() -> dict[str, str]:
    """The environment without the variables that are named like secrets."""
    return {name: value for name, value in os.environ.items() if not is_secret(name)}


def is_secret(name: str) -> bool:
    """Whether a variable is named like a secret."""
    return _SECRET.search(name) is not None
