"""What is done alike for every engine."""

from hypothesis import given
from hypothesis import strategies as st

from evalplus_run.models.answers import cut, in_groups, sample_seed, shares, split_reasoning, stop_strings, stopped
from evalplus_run.records import Prompt, Request, Sampling

SHORT = st.text(alphabet="ab\n", max_size=12)


@given(SHORT, st.lists(st.text(alphabet="ab\n", min_size=1, max_size=3), max_size=4))
def test_a_cut_text_holds_no_stop_string_and_is_the_longest_beginning_before_one(text: str, stops: list[str]) -> None:
    kept = cut(text, tuple(stops))
    assert text.startswith(kept)
    assert kept == text or any(text.startswith(stop, len(kept)) for stop in stops)
    assert not any(text.startswith(stop, at) for at in range(len(kept)) for stop in stops)


def test_the_users_stop_strings_read_newline_and_tab_and_follow_the_prompts_own_once_each() -> None:
    prompt = Prompt("A/0", stop=("\nclass", "end"))
    assert stop_strings(prompt, Sampling(stop=(r"\n\tif", "end", ""))) == ("\nclass", "end", "\n\tif")


@given(st.integers(min_value=0), st.text(), st.integers(min_value=0))
def test_a_seed_fits_31_bits_and_moves_with_the_index(seed: int, task_id: str, index: int) -> None:
    assert 0 <= sample_seed(seed, task_id, index) < 2**31
    assert sample_seed(seed, task_id, index) != sample_seed(seed, task_id, index + 1)


def test_a_seed_is_the_same_on_every_machine() -> None:
    assert sample_seed(0, "HumanEval/0", 0) == 607662263


def test_reasoning_in_tags_is_taken_apart_from_the_answer() -> None:
    assert split_reasoning("<think>\na\n</think>\n\nb") == ("a", "b")


def test_a_text_that_merely_mentions_the_tags_stays_whole() -> None:
    text = "print('<think>x</think>')"
    assert split_reasoning(text) == ("", text)


def test_what_a_stop_string_ends_was_not_cut_off_but_a_refusal_stays_one() -> None:
    assert stopped("aENDb", "length", ("END",)) == ("a", "stop")
    assert stopped("ab", "length", ("END",)) == ("ab", "length")
    assert stopped("aENDb", "refusal", ("END",)) == ("a", "refusal")


def test_a_section_opened_by_the_prompt_ends_at_its_closing_tag() -> None:
    assert split_reasoning("a\n</think>\nb", opened=True) == ("a", "b")


def test_a_section_that_nobody_saw_open_ends_at_its_closing_tag() -> None:
    assert split_reasoning("a\n</think>\n\nb") == ("a", "b")
    assert split_reasoning("</think>\n\nb") == ("", "b")


def test_a_closing_tag_that_is_a_string_of_some_code_closes_nothing() -> None:
    text = "return text.split('</think>')[1]"
    assert split_reasoning(text) == ("", text)


def test_a_section_that_the_prompt_opened_and_the_model_opens_again_is_one() -> None:
    assert split_reasoning("<think>\na</think>b", opened=True) == ("a", "b")


def test_a_section_that_never_closes_leaves_no_answer() -> None:
    assert split_reasoning("a", opened=True) == ("a", "")
    assert split_reasoning("<think>a") == ("a", "")


@given(st.sets(st.integers(0, 60)), st.integers(1, 9))
def test_groups_hold_every_index_once_and_lie_within_spans_that_do_not_hang_on_what_is_missing(
    indices: set[int], size: int
) -> None:
    request = Request(Prompt("A/0"), tuple(sorted(indices)))
    groups = [group.indices for group in in_groups(request, size)]
    assert [index for group in groups for index in group] == sorted(indices)
    spans = [{index // size for index in group} for group in groups]
    assert all(len(span) == 1 for span in spans)
    assert len(set().union(*spans)) == len(spans)


@given(st.integers(0, 10_000), st.lists(st.integers(0, 500), min_size=1, max_size=9))
def test_shares_add_up_and_are_within_one_of_what_the_sizes_ask_for(total: int, sizes: list[int]) -> None:
    given_out = shares(total, sizes)
    weights = sizes if any(sizes) else [1] * len(sizes)
    assert sum(share or 0 for share in given_out) == total
    for share, weight in zip(given_out, weights, strict=True):
        assert share is not None
        assert abs(share - total * weight / sum(weights)) < 1


def test_of_what_is_not_known_nobody_has_a_share() -> None:
    assert shares(None, [3, 4]) == [None, None]
