"""Which variables of the environment are secrets, as far as their names tell: no child and no log gets to see them."""

from __future__ import annotations

import os
import re

_SECRET = re.compile("KEY|TOKEN|SECRET|PASS|CREDENTIAL|AUTH", re.IGNORECASE)


def is_secret(name: str) -> bool:
    """Whether a variable is named like a secret, as are OPENAI_API_KEY and all RAY_AUTH_ ones."""
    return _SECRET.search(name) is not None


def without_secrets() -> dict[str, str]:
    """The environment without the variables that are named like secrets."""
    return {name: value for name, value in os.environ.items() if not is_secret(name)}
