"""Checks of readers, last stable offsets and ends of transactions: broken promises, kept ones."""

from __future__ import annotations

import pytest

from barnabas.client.transactions.machine import Outcome
from barnabas.testing.simulation.workload.transactions.attempts import Stable

from .transaction_scene import HERE, THERE, Scene, committed


@pytest.fixture
def scene() -> Scene:
    return Scene()


# --- I-23: readers ---------------------------------------------


def test_i23_what_is_committed_is_read(scene: Scene) -> None:
    """I-23: all of it, once, in its order."""
    first, second = committed(scene, 1), committed(scene, 2)
    scene.read(HERE, (0, first.sent[0][1]), (2, second.sent[0][1]))
    assert scene.rule == ""
    assert scene.contract.not_read("r") == []
    assert scene.contract.not_read("another") == [f"{HERE}@0", f"{HERE}@2"]


def test_i23_an_aborted_record_is_read(scene: Scene) -> None:
    """I-23: nothing aborted is read."""
    one = scene.attempt("w", 1, HERE)
    scene.write(one)
    scene.attempts.ends(one, Outcome.ABORTED, 0.0)
    scene.mark(HERE, is_commit=False)
    scene.read(HERE, (0, one.sent[0][1]))
    assert scene.rule == "I-23"


def test_i23_a_record_is_read_before_its_marker(scene: Scene) -> None:
    """I-23: nothing of an open transaction is read."""
    one = scene.attempt("w", 1, HERE)
    scene.write(one)
    scene.read(HERE, (0, one.sent[0][1]))
    assert scene.rule == "I-23"


def test_i23_a_committed_record_is_left_out(scene: Scene) -> None:
    """I-23: what lies between two records that were read."""
    committed(scene, 1)
    second = committed(scene, 2)
    scene.read(HERE, (2, second.sent[0][1]))
    assert scene.rule == "I-23"


def test_i23_a_record_is_read_twice(scene: Scene) -> None:
    """I-23: a reader does not go back by itself."""
    one = committed(scene)
    scene.read(HERE, (0, one.sent[0][1]))
    scene.read(HERE, (0, one.sent[0][1]))
    assert scene.rule == "I-23"


# --- I-33: the last stable offset ---------------------------------------------


def test_i33_the_last_stable_offset_passes_an_open_transaction(scene: Scene) -> None:
    """I-33: by a watermark, and by an answer to a reader."""
    one = scene.attempt("w", 1, HERE)
    scene.write(one)
    assert scene.rule == ""
    scene.hand_out(HERE, 1)
    assert scene.rule == "I-33"


def test_i33_a_replica_counts_wrongly(scene: Scene) -> None:
    """I-33: too far, or not far enough."""
    one = scene.attempt("w", 1, HERE)
    scene.write(one)
    scene.watermark(HERE, stable=1)
    assert scene.rule == "I-33"


@pytest.fixture
def unpassed(scene: Scene) -> Scene:
    """A record and its marker, of which the watermark has passed the record only."""
    one = scene.attempt("w", 1, HERE)
    scene.write(one)
    scene.commit(one)
    scene.mark(HERE, is_committed=False)
    return scene


@pytest.mark.parametrize(("stable", "rule"), [(0, ""), (1, "I-33")])
def test_i33_a_marker_counts_before_the_watermark_passed_it(
    unpassed: Scene, stable: int, rule: str
) -> None:
    """I-33: it may still be lost (TXN-40)."""
    unpassed.watermark(HERE, stable, at=1)
    assert unpassed.rule == rule


def test_i33_a_reader_gets_what_a_marker_not_passed_decides(unpassed: Scene) -> None:
    """I-33: an answer is held to the same as a watermark."""
    unpassed.hand_out(HERE, 1)
    assert unpassed.rule == "I-33"


@pytest.mark.parametrize("stable", [0, 1])
def test_i33_a_marker_that_was_found_may_count(unpassed: Scene, stable: int) -> None:
    """I-33: of what the log had when it was opened it is not kept where it began."""
    unpassed.open_again(HERE)
    unpassed.watermark(HERE, stable, at=1)
    assert unpassed.rule == ""


def test_i33_a_marker_after_those_found_counts(unpassed: Scene) -> None:
    """I-33: what is written after the log was opened is held to the watermark."""
    unpassed.open_again(HERE)
    unpassed.watermark(HERE, 2)
    two = unpassed.attempt("w", 2, HERE)
    unpassed.write(two)
    unpassed.commit(two)
    unpassed.mark(HERE, is_committed=False)
    unpassed.watermark(HERE, 3, at=3)
    assert unpassed.rule == "I-33"


@pytest.mark.parametrize(("stable", "rule"), [(1, ""), (0, "I-33")])
def test_i33_a_marker_that_was_passed_counts_on(unpassed: Scene, stable: int, rule: str) -> None:
    """I-33: the watermark may go back, for a leader that knows less of it."""
    unpassed.watermark(HERE, 2)
    unpassed.watermark(HERE, stable, at=1)
    assert unpassed.rule == rule


@pytest.mark.parametrize("stable", [0, 1])
def test_i33_a_marker_that_a_cut_left_may_count(unpassed: Scene, stable: int) -> None:
    """I-33: a cut reads the state of producers again, as opening does."""
    two = unpassed.attempt("w", 2, HERE)
    unpassed.write(two, is_committed=False)
    unpassed.truncate(HERE, 2)
    unpassed.watermark(HERE, stable, at=1)
    assert unpassed.rule == ""


def test_i33_a_marker_that_was_cut_counts_where_another_one_is(unpassed: Scene) -> None:
    """I-33: a marker at an offset that was found or passed before is not the one there was."""
    unpassed.open_again(HERE)
    unpassed.watermark(HERE, 2)
    unpassed.truncate(HERE, 1)
    unpassed.mark(HERE, is_committed=False)
    unpassed.watermark(HERE, 1, at=1)
    assert unpassed.rule == "I-33"


def test_i33_the_end_goes_back(scene: Scene) -> None:
    """I-33: who asks after an answer came is told no less; who asked before may be."""
    scene.attempts.stable(Stable(HERE, 5, 0.0, 1.0))
    scene.attempts.stable(Stable(HERE, 4, 0.5, 1.5))
    assert scene.rule == ""
    scene.attempts.stable(Stable(HERE, 4, 2.0, 3.0))
    assert scene.rule == "I-33"


# --- I-34: one end ---------------------------------------------


def test_i34_one_end_for_all_partitions(scene: Scene) -> None:
    """I-34: markers of one transaction all say the same (TXN-55)."""
    one = scene.attempt("w", 1, HERE, THERE)
    scene.write(one)
    scene.write(one, 1)
    scene.commit(one, Outcome.UNKNOWN)
    scene.mark(HERE)
    assert scene.rule == ""
    scene.mark(THERE, is_commit=False)
    assert scene.rule == "I-34"


def test_i34_what_was_acknowledged_is_aborted(scene: Scene) -> None:
    """I-34: a commit that was acknowledged is never lost."""
    one = scene.attempt("w", 1, HERE)
    scene.write(one)
    scene.commit(one)
    scene.mark(HERE, is_commit=False)
    assert scene.rule == "I-34"


def test_i34_committed_without_being_asked(scene: Scene) -> None:
    """I-34: nobody commits for a producer."""
    one = scene.attempt("w", 1, HERE)
    scene.write(one)
    scene.mark(HERE)
    assert scene.rule == "I-34"


def test_i34_aborted_without_being_asked(scene: Scene) -> None:
    """I-34: nor does anybody abort for it, before its time is up."""
    one = scene.attempt("w", 1, HERE)
    scene.write(one)
    scene.later(0.1)
    scene.mark(HERE, is_commit=False)
    assert scene.rule == "I-34"


@pytest.mark.parametrize("is_claimed", [False, True])
def test_i34_aborted_for_a_reason(scene: Scene, is_claimed: bool) -> None:
    """I-34: its time is up, or somebody else has asked for the transactional id."""
    one = scene.attempt("w", 1, HERE)
    scene.write(one)
    scene.later(0.1 if is_claimed else 5.0)
    if is_claimed:
        scene.attempts.claims("w")
    scene.mark(HERE, is_commit=False)
    assert scene.rule == ""


def test_i34_two_transactions_without_a_marker_between(scene: Scene) -> None:
    """I-34: what was ended for its producer has a marker before the next one begins."""
    for number in (1, 2):
        one = scene.attempt("w", number, HERE)
        scene.write(one)
        scene.commit(one)
    assert scene.rule == "I-34"


@pytest.mark.parametrize(("epoch", "coordinator"), [(1, 2), (0, 3)])
def test_i34_a_marker_of_the_past(scene: Scene, epoch: int, coordinator: int) -> None:
    """I-34: of an earlier coordinator, or of an earlier epoch."""
    one = scene.attempt("w", 1, HERE)
    scene.write(one, epoch=1)
    scene.commit(one)
    scene.mark(HERE, epoch=1)
    assert scene.rule == ""
    scene.mark(HERE, epoch=epoch, coordinator=coordinator)
    assert scene.rule == "I-34"


def test_i34_an_end_without_another_epoch() -> None:
    """I-34: where each transaction has its epoch, the marker brings the next one (KIP-890)."""
    scene = Scene(has_epochs=True)
    one = scene.attempt("w", 1, HERE)
    scene.write(one)
    scene.commit(one)
    scene.mark(HERE, epoch=0)
    assert scene.rule == "I-34"


def test_i34_a_record_of_what_is_committed_is_missing(scene: Scene) -> None:
    """I-34: in the end all records are there, in the order of their sending."""
    committed(scene, 1).sent.append((HERE, b"w/1/1|1|"))
    scene.contract.still_open()
    with pytest.raises(AssertionError, match="I-34"):
        scene.contract.check_whole()


def test_i34_markers_name_the_coordinator(scene: Scene) -> None:
    """I-34: by the leader epoch of its partition (TXN-35)."""
    one = committed(scene)
    scene.contract.check_coordinator(one.name, 3)
    with pytest.raises(AssertionError, match="I-34"):
        scene.contract.check_coordinator(one.name, 4)
