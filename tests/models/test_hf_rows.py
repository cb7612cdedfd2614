"""Where an answer ends, and what is drawn for it."""

import pytest

from evalplus_run.records import Prompt

pytest.importorskip("torch", reason="the extra transformers is not installed")
pytest.importorskip("transformers", reason="the extra transformers is not installed")

from checkpoint_writer import EOS, byte_tokenizer

from evalplus_run.models.hf_rows import Reader, Row

PROMPT = Prompt("A/0", text="x")
TOKENIZER = byte_tokenizer()
READER = Reader(TOKENIZER)


def encoded(text):
    return tuple(TOKENIZER.encode(text, add_special_tokens=False))


def grown(text, *, stops=(), opened=False, limit=1000, more=(), thinking=0):
    row = Row(PROMPT, 0, encoded("x"), frozenset([EOS]), stops, limit, 0, opened=opened, thinking=thinking)
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


@pytest.mark.parametrize(("begin", "opened"), [("<think>", False), ("", True)])
def test_an_answer_has_its_own_limit_from_the_end_of_the_thinking(begin, opened):
    row = grown(f"{begin}long thoughts</think>answer and more", opened=opened, limit=6, thinking=50)
    assert (row.text(READER), row.finish_reason) == (f"{begin}long thoughts</think>answer", "length")


def test_an_answer_without_thinking_has_its_own_limit_though_it_might_have_thought():
    row = grown("an answer that goes on", limit=9, thinking=50)
    assert (row.text(READER), row.finish_reason) == ("an answer", "length")


@pytest.mark.parametrize(("begin", "opened"), [("<think>", False), ("", True)])
def test_thinking_that_does_not_end_is_cut_once_it_has_used_up_the_answers_tokens_too(begin, opened):
    row = grown(begin + "x" * 100, opened=opened, limit=6, thinking=50)
    assert (len(row.made), row.finish_reason) == (56, "length")


def test_thinking_that_ends_late_leaves_the_answer_what_is_left():
    row = grown("x" * 44 + "</think>answer", opened=True, limit=6, thinking=50)
    assert (row.text(READER).rpartition(">")[2], row.finish_reason) == ("answ", "length")


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
    row = Row(PROMPT, 0, (1,), frozenset(), (), 10, 0, made=[2, 2, 2, 3])
    assert row.text(Reader(tokenizer)) == "    return"


def test_the_numbers_drawn_with_depend_on_seed_and_place_and_fill_the_unit_interval():
    def numbers(seed):
        found = []
        row = Row(PROMPT, 0, (), frozenset(), (), 10_000, seed)
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
