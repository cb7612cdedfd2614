"""Where an answer ends, and what is drawn for it."""

import pytest

from evalplus_run.records import Prompt, Sampling

torch = pytest.importorskip("torch", reason="the extra transformers is not installed")
pytest.importorskip("transformers", reason="the extra transformers is not installed")

from checkpoint_writer import EOS, byte_tokenizer  # noqa: E402

from evalplus_run.models.hf_batches import draw  # noqa: E402
from evalplus_run.models.hf_rows import Reader, Row  # noqa: E402

PROMPT = Prompt("A/0", text="x")
TOKENIZER = byte_tokenizer()
READER = Reader(TOKENIZER, frozenset([EOS]))


def encoded(text):
    return tuple(TOKENIZER.encode(text, add_special_tokens=False))


def grown(text, *, stops=(), opened=False, limit=1000, more=()):
    row = Row(PROMPT, 0, encoded("x"), stops, limit, 0, opened=opened)
    for token in (*encoded(text), *more):
        if row.finish_reason is None:
            row.take(token, READER)
    return row


def test_an_answer_ends_with_the_first_stop_string_that_is_complete():
    row = grown("a\nprint(b\nclass c", stops=("\nclass ", "\nprint("))
    assert (row.text(READER), row.finish_reason) == ("a\nprint(", "stop")


def test_a_stop_string_of_more_bytes_than_letters_is_seen():
    assert grown("aé→é→é→é→b", stops=("→é→é→é→",)).text(READER) == "aé→é→é→é→"


def test_the_token_that_ends_an_answer_is_no_part_of_its_text():
    row = grown("ab", more=(EOS, *encoded("c")))
    assert (row.text(READER), row.finish_reason, len(row.made)) == ("ab", "stop", 3)


def test_an_answer_ends_at_its_limit():
    row = grown("abcdef", limit=4)
    assert (row.text(READER), row.finish_reason) == ("abcd", "length")


@pytest.mark.parametrize(("begin", "opened"), [("<think>\n", False), ("", True)])
def test_stop_strings_count_only_behind_a_thinking_section(begin, opened):
    row = grown(f"{begin}first\nprint(1)</think>\nthen\nprint(2)", stops=("\nprint(",), opened=opened)
    assert row.text(READER) == f"{begin}first\nprint(1)</think>\nthen\nprint("


def test_a_thinking_section_that_stays_open_hides_every_stop_string():
    assert grown("<think>\nprint(1)\nprint(2)", stops=("\nprint(",)).finish_reason is None


def test_words_about_thinking_are_no_section():
    assert grown("I use <think>\nprint(1)", stops=("\nprint(",)).finish_reason == "stop"


def test_a_leading_space_is_kept_though_the_tokenizer_drops_the_first_one():
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    words = Tokenizer(models.WordLevel({"<unk>": 0, "▁def": 1, "▁": 2, "▁return": 3}, unk_token="<unk>"))
    words.pre_tokenizer = pre_tokenizers.Metaspace()
    words.decoder = decoders.Metaspace()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=words, unk_token="<unk>")
    assert tokenizer.decode([2, 2, 2, 3]) == "   return"
    row = Row(PROMPT, 0, (1,), (), 10, 0, made=[2, 2, 2, 3])
    assert row.text(Reader(tokenizer, frozenset())) == "    return"


def test_the_numbers_drawn_with_depend_on_seed_and_place_and_fill_the_unit_interval():
    def numbers(seed):
        found = []
        row = Row(PROMPT, 0, (), (), 10_000, seed)
        for _ in range(2000):
            found.append(row.draw())
            row.made.append(0)
        return found

    one = numbers(1)
    assert one == numbers(1)
    assert not set(one) & set(numbers(2))
    assert 0 <= min(one) < 0.01
    assert 0.99 < max(one) < 1
    assert abs(sum(one) / len(one) - 0.5) < 0.03


def shares(scores, sampling, count=20_000):
    """How often each token is drawn over an even grid of numbers."""
    draws = (torch.arange(count) + 0.5) / count
    chosen = draw(torch.tensor([scores]).expand(count, -1), draws, sampling)
    return (torch.bincount(chosen, minlength=len(scores)) / count).tolist()


def test_tokens_are_drawn_as_often_as_they_are_likely():
    scores = [0.3, 2.0, -1.0, 1.0]
    expected = torch.softmax(torch.tensor(scores) / 0.7, -1).tolist()
    assert shares(scores, Sampling(temperature=0.7, top_p=1.0)) == pytest.approx(expected, abs=1e-3)


def test_top_p_keeps_the_likeliest_tokens_that_reach_the_mass_and_no_others():
    scores = torch.tensor([0.1, 0.5, 0.1, 0.3]).log().tolist()
    assert shares(scores, Sampling(temperature=1.0, top_p=0.7)) == pytest.approx([0, 0.625, 0, 0.375], abs=1e-3)
    assert shares(scores, Sampling(temperature=1.0, top_p=0.01)) == [0, 1, 0, 0]


def test_top_k_keeps_as_many_tokens_and_top_p_then_counts_their_mass_alone():
    scores = torch.tensor([0.1, 0.4, 0.2, 0.3]).log().tolist()
    assert shares(scores, Sampling(temperature=1.0, top_p=1.0, top_k=2)) == pytest.approx(
        [0, 4 / 7, 0, 3 / 7], abs=1e-3
    )
    # 0.4 is four sevenths of what two tokens hold: more than a half, though not of all.
    assert shares(scores, Sampling(temperature=1.0, top_p=0.5, top_k=2)) == [0, 1, 0, 0]


def test_min_p_keeps_tokens_by_their_share_of_the_likeliest():
    scores = torch.tensor([0.1, 0.4, 0.2, 0.3]).log().tolist()
    assert shares(scores, Sampling(temperature=1.0, top_p=1.0, min_p=0.6)) == pytest.approx(
        [0, 4 / 7, 0, 3 / 7], abs=1e-3
    )


def test_the_highest_number_draws_a_token_that_was_kept():
    scores = torch.tensor([[0.0, -torch.inf, 0.0, -torch.inf]])
    for number in (0.0, 1 - 2**-53, 1.0):
        assert draw(scores, torch.tensor([number]), Sampling(temperature=1.0, top_p=1.0)).item() in (0, 2)
