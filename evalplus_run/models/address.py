"""The addresses of servers, as users give them."""

from __future__ import annotations

from urllib.parse import urlsplit

from evalplus_run.records import UserError

_LOOPBACK = ("127.0.0.1", "localhost", "::1")


def checked_address(url: str, form: str, key_place: str = "") -> str:
    """The same address. Raises UserError, which names `form`, for what is none, and for one that holds a secret.

    `key_place` is where a key belongs instead, empty where there is no single place.
    """
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as error:
        raise UserError(f"model.base_url is no address ({error}): write {form}.") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UserError(f"model.base_url={parts.hostname or url} is no address: write {form}.")
    if parts.username or parts.password or parts.query or parts.fragment:
        remedy = f"put the key into {key_place} and write only" if key_place else "write only"
        raise UserError(f"model.base_url holds a secret or a query: {remedy} {form}.")
    return url


def is_this_machine(url: str) -> bool:
    """Whether it leads back here, where no proxy of the environment leads."""
    return urlsplit(url).hostname in _LOOPBACK
