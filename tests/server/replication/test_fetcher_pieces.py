"""Small parts of the fetchers on their own: session numbers, slices of records, pauses."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit.log_batches import Batch

from barnabas.broker.server.replication.back_off import FIRST_PAUSE_MS, BackOff
from barnabas.broker.server.replication.fetcher_session import Asked, fill, new_session
from barnabas.broker.server.replication.followed import Key
from barnabas.broker.server.replication.record_slices import (
    SLICE_BATCHES,
    SLICE_BYTES,
    record_slices,
)
from barnabas.protocol.fetch_session import EPOCH_MAX, FetchSession
from barnabas.protocol.messages.fetch_request import FetchPartition, FetchRequest

TOPIC = b"t" * 16

Session = FetchSession[Key, Asked]


def asked(index: int, offset: int = 0) -> Asked:
    position = FetchPartition(partition=index, fetch_offset=offset)
    return Asked(cast("Any", SimpleNamespace()), position)


def filled(session: Session, *partitions: Asked, gone: tuple[int, ...] = ()) -> FetchRequest:
    request = FetchRequest()
    wanted = {(TOPIC, one.position.partition): one for one in partitions}
    assert fill(request, session, wanted, [(TOPIC, index) for index in gone])
    return request


def test_session_epochs_wrap_to_one() -> None:
    """227-01: after 2^31-1 comes 1, for 0 would ask for a new session."""
    session = new_session()
    assert filled(session, asked(0)).session_epoch == 0
    assert session.take(0, 77)
    session._epoch = EPOCH_MAX
    request = filled(session, asked(0, 5))
    assert (request.session_id, request.session_epoch) == (77, EPOCH_MAX)
    assert session.take(0, 77)
    assert filled(session).session_epoch == 1


def test_a_partition_that_comes_back_is_named_again() -> None:
    """227-01: forgotten in one request, and named with its position in a later one."""
    session = new_session()
    filled(session, asked(0), asked(1))
    session.take(0, 7)
    request = filled(session, gone=(1, 2))
    assert request.topics == []
    assert [one.partitions for one in request.forgotten_topics_data] == [[1]]
    session.take(0, 7)
    request = filled(session, asked(1))
    assert [one.partition for one in request.topics[0].partitions] == [1]
    assert request.forgotten_topics_data == []


def test_what_a_position_says_anew_is_named() -> None:
    """227-01: where the log ends or begins, its last epoch, the leader's epoch; else nothing."""
    session = new_session()
    known = asked(0, 5)
    filled(session, known)
    session.take(0, 7)
    assert filled(session, asked(0, 5)).topics == []
    for name in (
        "fetch_offset",
        "current_leader_epoch",
        "last_fetched_epoch",
        "log_start_offset",
        "partition_max_bytes",
    ):
        session.take(0, 7)
        one = asked(0, 5)
        setattr(one.position, name, getattr(one.position, name) + 1)
        assert filled(session, one).topics[0].partitions == [one.position], name
        session.take(0, 7)
        filled(session, known)


def test_a_session_without_partitions_is_over() -> None:
    """227-03: forgetting the last one sends nothing; the next request ends the old session."""
    session = new_session()
    filled(session, asked(0))
    session.take(0, 7)
    assert not fill(FetchRequest(), session, {}, [(TOPIC, 0)])
    request = filled(session, asked(0))
    assert (request.session_id, request.session_epoch) == (7, 0)


def test_an_answer_of_another_session_is_not_ours() -> None:
    """227-01: it says nothing about what was asked for; a full request follows."""
    session = new_session()
    filled(session, asked(0))
    session.take(0, 7)
    filled(session, asked(0, 1))
    assert not session.take(0, 8)
    assert session.is_full


@given(
    sizes=st.lists(st.sampled_from([1, 50, 3000, 100_000, SLICE_BYTES]), max_size=30),
    cut=st.integers(0, 60),
)
def test_slices_are_whole_batches_and_nothing_is_lost(sizes: list[int], cut: int) -> None:
    """Goal: joined, the slices are the records without a cut tail; each is small, or one batch."""
    batches = [bytes(Batch(values=(b"v" * size,), base_offset=0).encoded) for size in sizes]
    records = b"".join(batches)
    whole = batches if cut == 0 else batches[:-1]
    records = records[: len(records) - cut] if batches else b""
    slices = list(record_slices(records, 0))
    assert b"".join(slices) == b"".join(whole)
    starts = {sum(map(len, whole[:number])) for number in range(len(whole) + 1)}
    at = 0
    for one in slices:
        assert at in starts
        at += len(one)
        assert len(one) <= SLICE_BYTES or at - len(one) in starts


def test_many_small_batches_are_several_slices() -> None:
    """Goal: the time of a turn depends on the number of batches, not only on their bytes."""
    records = bytes(Batch().encoded) * (SLICE_BATCHES * 2 + 1)
    assert [len(one) for one in record_slices(records, 0)] == [
        SLICE_BATCHES * len(Batch().encoded),
        SLICE_BATCHES * len(Batch().encoded),
        len(Batch().encoded),
    ]


@pytest.mark.parametrize(("epoch", "count"), [(4, 1), (5, 3), (6, 3)])
def test_batches_of_a_newer_epoch_are_left(epoch: int, count: int) -> None:
    """279-03: the leader was elected again since the fetch: what is newer is asked for anew."""
    encoded = [bytes(Batch(leader_epoch=one).encoded) for one in (4, 5, 5)]
    joined = b"".join(record_slices(b"".join(encoded), epoch))
    assert joined == b"".join(encoded[:count])


def test_pauses_grow_to_the_setting() -> None:
    """279-05: the first pause is short, the longest is `replica.fetch.backoff.ms`."""
    pauses = BackOff(1000)
    assert pauses.is_fresh
    taken = [pauses.next_ms() for _ in range(8)]
    assert taken[0] == FIRST_PAUSE_MS
    assert taken[-1] == 1000
    assert taken == sorted(taken)
    pauses.reset()
    assert pauses.next_ms() == FIRST_PAUSE_MS
    assert BackOff(5).next_ms() == 5
