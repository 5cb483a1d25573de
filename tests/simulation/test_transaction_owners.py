"""Checks of fences, of the group that copies, and of histories: broken promises, kept ones."""

from __future__ import annotations

import pytest

from barnabas.client.transactions.machine import Outcome
from barnabas.testing.simulation.checks.transactions.history import operations_of
from barnabas.testing.simulation.workload.transactions.attempts import Attempt

from .transaction_scene import COPIED, HERE, Scene, committed


@pytest.fixture
def scene() -> Scene:
    return Scene()


# --- I-35, I-22: fences ---------------------------------------------


def test_i35_a_fenced_producer_goes_on(scene: Scene) -> None:
    """I-35: nothing of it is committed that was not before."""
    scene.owned(1, 0, asked_s=0.0)
    scene.later()
    scene.owned(2, 1, asked_s=0.5)
    assert scene.rule == ""
    one = scene.attempt("w", 1, HERE)
    scene.write(one, epoch=0)
    assert scene.rule == "I-35"


def test_i35_an_earlier_transaction_is_open(scene: Scene) -> None:
    """I-35: who gets the id finds nothing open of the one before."""
    one = scene.attempt("w", 1, HERE)
    scene.write(one)
    scene.owned(2, 1, asked_s=0.5)
    assert scene.rule == "I-35"


def test_i35_more_of_a_transaction_that_has_ended(scene: Scene) -> None:
    """I-35: its records end with its marker."""
    one = committed(scene)
    scene.write(one)
    assert scene.rule == "I-35"


def test_i22_an_epoch_is_given_twice(scene: Scene) -> None:
    """I-22: who asks later has a later epoch, or another producer id."""
    scene.owned(1, 4, asked_s=0.0)
    scene.later()
    scene.owned(2, 0, asked_s=2.0, producer=8)
    assert scene.rule == ""
    scene.owned(3, 4, asked_s=2.0)
    assert scene.rule == "I-22"


# --- I-36: the group ---------------------------------------------


def copy_of(scene: Scene, number: int, offset: int) -> Attempt:
    """A committed transaction of the group that copies one record."""
    one = scene.attempt("c", number)
    one.sent.append((COPIED, one.value(f"0@{offset}")))
    one.offsets = {HERE: offset + 1}
    scene.write(one, producer=9)
    scene.commit(one)
    scene.mark(COPIED, producer=9)
    return one


def test_i36_each_record_has_one_copy(scene: Scene) -> None:
    """I-36: in the end each has one, and none has two."""
    committed(scene)
    assert scene.contract.not_copied() == [f"{HERE}@0"]
    copy_of(scene, 1, 0)
    assert scene.rule == ""
    assert scene.contract.not_copied() == []
    copy_of(scene, 2, 0)
    assert scene.rule == "I-36"


def test_i36_a_copy_of_what_is_not_committed(scene: Scene) -> None:
    """I-36: the group reads committed records."""
    copy_of(scene, 1, 0)
    assert scene.rule == "I-36"


def test_i36_offsets_before_the_commit(scene: Scene) -> None:
    """I-36: nobody sees them before the transaction is to be committed."""
    one = scene.attempt("c", 1)
    one.offsets = {HERE: 1}
    scene.found(1, stable=False)
    assert scene.rule == "I-36"


def test_i36_offsets_of_what_is_aborted(scene: Scene) -> None:
    """I-36: nor afterwards, if it is not committed."""
    one = scene.attempt("c", 1)
    one.offsets = {HERE: 1}
    scene.attempts.asks(one, 0.0)
    scene.attempts.ends(one, Outcome.ABORTED, 0.0)
    scene.found(1)
    assert scene.rule == "I-36"


def test_i36_offsets_go_back(scene: Scene) -> None:
    """I-36: what was told, and what was acknowledged, stays."""
    committed(scene, 1)
    committed(scene, 2)
    copy_of(scene, 1, 0)
    copy_of(scene, 2, 2)
    scene.found(3)
    assert scene.rule == ""
    scene.found(1)
    assert scene.rule == "I-36"


def test_i34_found_offsets_are_a_promise(scene: Scene) -> None:
    """I-34: what the group was told to have committed is aborted by nobody."""
    one = scene.attempt("c", 1)
    one.sent.append((COPIED, one.value("0@0")))
    one.offsets = {HERE: 1}
    scene.write(one, producer=9)
    scene.commit(one, Outcome.UNKNOWN)
    scene.found(1)
    assert scene.rule == ""
    scene.mark(COPIED, producer=9, is_commit=False)
    assert scene.rule == "I-34"


# --- I-37, and what switches all of it off ---------------------------------------------


def test_i37_the_history_is_looked_through(scene: Scene) -> None:
    """I-37: what the checker of histories knows is found here too."""
    one = committed(scene)
    scene.read(HERE, (0, one.sent[0][1]))
    scene.contract.check_whole()
    names = [operation.name for operation in operations_of(scene.attempts)]
    assert names == ["w/1/1", "r#0"]
    committed(scene, 2)
    with pytest.raises(AssertionError, match=r"I-37: unseen"):
        scene.contract.check_whole()


def test_l9_open_transactions_are_named(scene: Scene) -> None:
    """L-9: by the partition in which they have no marker."""
    one = scene.attempt("w", 1, HERE)
    scene.write(one)
    assert scene.contract.still_open() == [f"{one.name} in {HERE}"]


def test_after_an_unclean_election_nothing_is_promised(scene: Scene) -> None:
    """Goal: an election that may lose records, which was allowed, ends all of it."""
    scene.committed.unclean_elections = 1
    one = scene.attempt("w", 1, HERE)
    scene.read(HERE, (0, one.value()))
    assert scene.rule == ""
    assert scene.contract.still_open() == []
