"""What a batch draws, and when it is over."""

import threading

import pytest

from evalplus_run.records import Prompt, Sampling

torch = pytest.importorskip("torch", reason="the extra transformers is not installed")
pytest.importorskip("transformers", reason="the extra transformers is not installed")

from checkpoint_writer import EOS, byte_tokenizer, tiny_checkpoint  # noqa: E402
from transformers import LlamaForCausalLM  # noqa: E402

from evalplus_run.models.hf_batches import Batches, _left_padded, _Watch, draw  # noqa: E402
from evalplus_run.models.hf_rows import Reader, Row  # noqa: E402


def rows(count):
    return [Row(Prompt(f"A/{number}"), 0, (7,) * (number + 1), frozenset([EOS]), (), 100, 0) for number in range(count)]


def step(watch, *tokens):
    return watch(torch.tensor([[0, token] for token in tokens]), None).tolist()


def test_gaps_are_on_the_left_and_hidden():
    some = rows(3)
    some[1].made.append(8)
    ids, mask = _left_padded(some)
    assert ids == [[0, 0, 7], [7, 7, 8], [7, 7, 7]]
    assert mask == [[0, 0, 1], [1, 1, 1], [1, 1, 1]]


def test_a_batch_is_over_once_half_of_it_has_ended_and_then_takes_no_token_more():
    some = rows(4)
    watch = _Watch(some, Reader(byte_tokenizer()))
    assert step(watch, 9, EOS, 9, 9) == [False, True, False, False]
    assert step(watch, 9, 9, 9, EOS) == [True, True, True, True]
    # On a GPU a step more comes, with tokens that mean nothing.
    assert step(watch, 0, 0, 0, 0) == [True, True, True, True]
    assert [row.made for row in some] == [[9, 9], [EOS], [9, 9], [9, EOS]]


def test_an_interruption_is_met_within_a_step_and_leaves_the_rows_whole(tmp_path):
    model = LlamaForCausalLM.from_pretrained(tiny_checkpoint(tmp_path)).eval()
    batches = Batches(model, Reader(byte_tokenizer()), 4)
    interrupted = threading.Event()
    begun = []

    def interrupt(*_):
        begun.append(1)
        if len(begun) == 3:
            interrupted.set()

    first, last = model.model.layers
    first.mlp.register_forward_pre_hook(interrupt)
    reached = []
    last.mlp.register_forward_pre_hook(lambda *_: reached.append(1))
    some = rows(4)
    assert not list(batches.grow(some, Sampling(), interrupted))
    assert (len(begun), len(reached)) == (3, 2)
    assert [len(row.made) for row in some] == [2] * 4
    assert len(list(batches.grow(some, Sampling(), threading.Event()))) == 4


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
