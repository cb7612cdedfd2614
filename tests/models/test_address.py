"""Addresses as users give them."""

import pytest

from evalplus_run.models.address import checked_address, is_this_machine
from evalplus_run.records import UserError


@pytest.mark.parametrize("url", ["host:80", "ftp://host", "http://", "https://host:port", "http://[::1"])
def test_what_is_no_address_is_refused_with_its_form(url: str) -> None:
    with pytest.raises(UserError, match="is no address.*: write https://host"):
        checked_address(url, "https://host")


@pytest.mark.parametrize("url", ["http://user:pw@host", "https://host?key=abc"])
def test_a_secret_is_refused_with_its_place_and_not_repeated(url: str) -> None:
    with pytest.raises(UserError, match="put the key into THE_KEY and write only https://host") as error:
        checked_address(url, "https://host", "THE_KEY")
    assert "pw" not in str(error.value)
    assert "abc" not in str(error.value)


def test_an_address_stays_as_it_is() -> None:
    assert checked_address("http://host:1/v1", "…") == "http://host:1/v1"


def test_this_machine_is_known_by_its_names() -> None:
    assert all(is_this_machine(f"http://{host}:1/v1") for host in ("127.0.0.1", "localhost", "[::1]"))
    assert not is_this_machine("https://api.example.com")
