"""Which batches are at the provider."""

import errno
import os
from pathlib import Path

import pytest

from evalplus_run.models.batch_notes import BatchNotes, Note
from evalplus_run.records import Prompt, Request, RunFailed, UserError

ONE = Note("k1", (("A/0", (0, 1)), ("A/1", (0,))), {"n": "why"}, "file", 5.0, "batch_1")
TWO = Note("k2", (("B/0", (0,)),))


@pytest.fixture
def notes(tmp_path: Path) -> BatchNotes:
    return BatchNotes(tmp_path / "run" / "batches.json")


def test_a_run_without_notes_has_none(notes: BatchNotes) -> None:
    assert notes.read() == ()
    assert notes.under_way() == set()


def test_what_was_written_is_read_again_and_a_later_note_takes_the_place_of_its_own_only(notes: BatchNotes) -> None:
    notes.write(ONE)
    notes.write(TWO)
    later = Note("k2", TWO.rows, batch_id="batch_2")
    notes.write(later)
    assert notes.read() == (ONE, later)
    notes.strike_out(ONE)
    assert notes.read() == (later,)


def test_a_note_stays_for_the_samples_that_nobody_asked_for(notes: BatchNotes) -> None:
    notes.write(ONE)
    notes.put_away(ONE, {("A/0", 1), ("C/0", 0)})
    assert notes.under_way() == {("A/0", 0), ("A/1", 0)}
    (left,) = notes.read()
    notes.put_away(left, {("A/0", 0), ("A/1", 0)})
    assert notes.read() == ()


def test_only_what_a_batch_is_making_is_refused(notes: BatchNotes) -> None:
    notes.write(ONE)
    notes.refuse_under_way([Request(Prompt("A/0"), (2, 3)), Request(Prompt("B/0"), (0,))])
    with pytest.raises(UserError, match=r"batch_1.*model\.batch=true"):
        notes.refuse_under_way([Request(Prompt("A/0"), (1, 2))])


@pytest.mark.parametrize("name", ["k1-0", "k1-1"])
def test_a_row_is_known_by_its_name(name: str) -> None:
    assert ONE.row_of(name) == ONE.rows[int(name[-1])]


@pytest.mark.parametrize("name", ["k1-2", "k2-0", "k1-", "k1", "", "k1--1", "k1-²", "k1-0-0"])
def test_another_name_is_no_rows(name: str) -> None:
    assert ONE.row_of(name) is None


def test_a_full_disk_is_told_and_the_notes_before_stay(notes: BatchNotes, monkeypatch: pytest.MonkeyPatch) -> None:
    notes.write(ONE)

    def full(number: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(RunFailed, match=r"Cannot write .*batches\.json \(No space left"):
        notes.write(TWO)
    assert notes.read() == (ONE,)
