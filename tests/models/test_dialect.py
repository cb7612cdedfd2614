"""Parameters that a server refuses."""

import pytest

from evalplus_run.models.dialect import Dialect

SENT = {"max_tokens": 5, "temperature": 0, "stop": ["x"], "seed": 1, "n": 4}


@pytest.mark.parametrize(
    ("param", "words", "name"),
    [
        ("temperature", "Unsupported value: 'temperature' does not support 0.0 with this model.", "temperature"),
        (None, "`seed` is an unknown field", "seed"),
        ("stop", "Invalid 'stop': array too long. Expected an array with maximum length 4.", "stop"),
        ("body.stop", "Extra inputs are not permitted", "stop"),
        ("max_tokens", "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", "max_tokens"),
        ("max_tokens", "max_tokens is too large and not supported", None),
        ("messages", "Unsupported: temperature was mentioned here too", None),
        (None, "This model's maximum context length is 4096 tokens", None),
        (None, "stopwords are not supported", None),
        (None, "This model doesn't support the stopSequences field: not supported", "stop"),
        (None, "Temperature is deprecated for this model", "temperature"),
        ("n", "must be 1", "n"),
        (None, "Invalid n value (currently only n = 1 is supported)", "n"),
        (None, "'n' : number must be at most 1", "n"),
        (None, "Only one completion choice is allowed", "n"),
        (None, "cannot parse 'def f(n):\\n    return n' as a chat", None),
        (None, "the prompt isn't allowed, nor is N/A", None),
    ],
)
def test_only_a_parameter_that_is_named_as_unsupported_is_given_up(
    param: str | None, words: str, name: str | None
) -> None:
    assert Dialect().learn(SENT, param, words) == name


def test_what_was_learnt_holds_for_all_later_requests_and_is_told() -> None:
    dialect = Dialect()
    dialect.learn(SENT, "seed", "seed is not supported")
    dialect.learn(SENT, None, "Unsupported parameter: use max_completion_tokens, not max_tokens")
    assert dialect.translate(SENT) == {"max_completion_tokens": 5, "temperature": 0, "stop": ["x"], "n": 4}
    assert dialect.notes() == {
        "parameter seed": "not sent: seed is not supported",
        "parameter max_tokens": "sent as max_completion_tokens",
    }


def test_a_parameter_is_given_up_once() -> None:
    dialect = Dialect()
    dialect.learn(SENT, "seed", "seed is not supported")
    assert dialect.learn(dialect.translate(SENT), "seed", "seed is not supported") is None


def test_what_is_known_to_be_refused_is_not_even_tried() -> None:
    dialect = Dialect({"temperature": "its family takes none", "max_tokens": "known"})
    assert dialect.translate(SENT) == {"max_completion_tokens": 5, "stop": ["x"], "seed": 1, "n": 4}
    assert dialect.notes() == {
        "parameter temperature": "not sent: its family takes none",
        "parameter max_tokens": "sent as max_completion_tokens",
    }


def test_of_two_that_cannot_be_had_together_the_nucleus_is_given_up() -> None:
    words = "`temperature` and `top_p` cannot both be specified for this model. Please use only one."
    assert Dialect().learn({"temperature": 1, "top_p": 0.9}, None, words) == "top_p"
