"""What stands in the environment: where a key is, and what engines are told."""

from __future__ import annotations

import re

from evalplus_run.records import UserError

SHORT_SPIN = {"GOMP_SPINCOUNT": "1000"}
"""How long OpenMP's threads spin for each other before they sleep. By default so long that a program which
holds one of the cores takes most of the speed away; short, it costs next to nothing where none does."""

_NAME = re.compile("[A-Za-z_][A-Za-z0-9_]*")


def refuse_key(variable: str) -> None:
    """UserError, which does not repeat it, for what is no name of a variable of the environment."""
    if variable and not _NAME.fullmatch(variable):
        raise UserError(
            "model.api_key_env is no name of an environment variable: export the key, and write the variable's name."
        )
