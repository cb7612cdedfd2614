"""Answers in batches: by length, each batch left as soon as half of it has ended, halved where memory is short."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from evalplus_run.models.hf_rows import Reader, Row
from evalplus_run.records import RunFailed, Sampling


class _Interrupted(Exception):
    """Carries an interruption out of the model, and no further than this file."""


class Batches:
    """Grows rows with one model. `size` is the largest batch; it shrinks for good where memory does not do."""

    def __init__(self, model: Any, reader: Reader, size: int) -> None:
        self.size = size
        self._model = model
        self.reader = reader

    def grow(self, rows: Sequence[Row], sampling: Sampling, interrupted: threading.Event) -> Iterator[Row]:
        """Every row once it has ended; returns early, within a layer of a step, once `interrupted` is set.

        The longest come first, so that a want of memory shows at once. Rows that outlast their batch go on
        in the next ones, from the tokens that they have. Raises RunFailed where memory does not do for one.
        """
        waiting = list(rows)
        with _interruptible(self._model, interrupted):
            while waiting and not interrupted.is_set():
                waiting.sort(key=lambda row: row.length)
                batch = waiting[-self.size :]
                if not self._generate(batch, sampling):
                    self._halve(len(batch))
                waiting = [row for row in waiting if row.finish_reason is None]
                yield from (row for row in batch if row.finish_reason is not None)

    def _generate(self, batch: Sequence[Row], sampling: Sampling) -> bool:
        """Grow a batch until it is over; False where memory ran short, with the tokens until then kept."""
        import torch

        now = time.monotonic()
        for row in batch:
            row.begun = row.begun or now
        ids, mask = _left_padded(batch)
        device = self._model.device
        try:
            self._model.generate(
                input_ids=torch.tensor(ids, device=device),
                attention_mask=torch.tensor(mask, device=device),
                max_new_tokens=max(row.most - len(row.made) for row in batch),
                # What is drawn is chosen by `_Draw`; nor do the ends matter to a loop that `_Watch` ends.
                do_sample=False,
                pad_token_id=0,
                logits_processor=[_Draw(batch, sampling)] if sampling.temperature > 0 else [],
                stopping_criteria=[_Watch(batch, self.reader)],
            )
        except _Interrupted:
            return True
        except (MemoryError, RuntimeError) as error:
            if not _is_want_of_memory(error):
                raise
            return False
        return True

    def _halve(self, tried: int) -> None:
        import torch

        if tried == 1:
            raise RunFailed(
                "The memory does not do for one answer: set model.dtype=bfloat16 or model.quantization,"
                " lower sampling.max_tokens, or take a smaller model."
            )
        self.size = tried // 2
        gc.collect()
        if torch.cuda.is_available():
            torch.cuda.empty_cache()


class _Watch:
    """Called after each step: hands every row its token, and says which rows need no more."""

    def __init__(self, rows: Sequence[Row], reader: Reader) -> None:
        self._rows = rows
        self._reader = reader
        self._enough = len(rows) // 2
        """Rows that may be left when the batch is over: a finished row costs as much as one that grows."""
        self._over = False

    def __call__(self, input_ids: Any, scores: Any, **_: Any) -> Any:
        import torch

        # On a GPU a step more may come after the last one asked for.
        if not self._over:
            for row, token in zip(self._rows, input_ids[:, -1].tolist(), strict=True):
                if row.finish_reason is None:
                    row.take(token, self._reader)
            growing = sum(row.finish_reason is None for row in self._rows)
            self._over = growing <= self._enough
        done = [self._over or row.finish_reason is not None for row in self._rows]
        return torch.tensor(done, device=input_ids.device)


class _Draw:
    """Chooses each row's next token with the row's own number, so that no other row has a say in it."""

    def __init__(self, rows: Sequence[Row], sampling: Sampling) -> None:
        self._rows = rows
        self._sampling = sampling

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        import torch

        draws = torch.tensor([row.draw() for row in self._rows], device=scores.device)
        chosen = draw(scores, draws, self._sampling)
        return torch.full_like(scores, -torch.inf).scatter_(1, chosen[:, None], 0.0)


def draw(scores: Any, draws: Any, sampling: Sampling) -> Any:
    """The token drawn in each row of `scores` (rows, tokens) by a number in [0, 1) for each row.

    Temperature, top_k, top_p, min_p, in transformers' order; the likeliest token always stays.
    """
    import torch

    likely, tokens = torch.softmax(scores.float() / sampling.temperature, -1).sort(dim=-1, descending=True, stable=True)
    if sampling.top_k:
        likely[:, sampling.top_k :] = 0
        likely /= likely.sum(-1, keepdim=True)
    before = likely.cumsum(-1) - likely
    kept = (before < sampling.top_p) & (likely >= sampling.min_p * likely[:, :1])
    kept[:, 0] = True
    mass = (likely * kept).cumsum(-1)
    places = torch.searchsorted(mass, draws[:, None].float() * mass[:, -1:], right=True)
    places = torch.minimum(places, kept.sum(-1, keepdim=True) - 1)
    return tokens.gather(1, places)[:, 0]


@contextmanager
def _interruptible(model: Any, interrupted: threading.Event) -> Iterator[None]:
    """Look before each layer: the first step of a batch may take a minute on a few cores."""

    def look(*_: Any) -> None:
        if interrupted.is_set():
            raise _Interrupted

    hooks = [layer.register_forward_pre_hook(look) for layer in _layers(model)]
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()


def _layers(model: Any) -> Sequence[Any]:
    """The model's layers; the outermost list of parts comes first."""
    from torch.nn import ModuleList

    return next((part for part in model.modules() if isinstance(part, ModuleList)), [model])


def _left_padded(batch: Sequence[Row]) -> tuple[list[list[int]], list[list[int]]]:
    """Token ids and attention mask, both (rows, longest); places are counted from the mask."""
    longest = max(row.length for row in batch)
    gaps = [longest - row.length for row in batch]
    ids = [[0] * gap + [*row.ids, *row.made] for row, gap in zip(batch, gaps, strict=True)]
    return ids, [[0] * gap + [1] * (longest - gap) for gap in gaps]


def _is_want_of_memory(error: Exception) -> bool:
    import torch

    # PyTorch's allocator for the CPU raises a plain RuntimeError.
    return isinstance(error, (MemoryError, torch.OutOfMemoryError)) or "can't allocate memory" in str(error)
