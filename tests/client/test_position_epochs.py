"""Goal: a position goes with the leader epoch of the batch before it, which proves it (KIP-320)."""

from __future__ import annotations

from kit.batches import around, record

from barnabas.client.consuming.fetched import FetchedRecords
from barnabas.client.consuming.positions import PartitionState
from barnabas.client.structs import TopicPartition
from barnabas.protocol.record_builder import RecordBatchBuilder

HERE = TopicPartition("t", 0)


def batch(base: int, epoch: int, count: int = 1) -> bytes:
    records = b"".join(record(number, b"v", None, number) for number in range(count))
    return around(records, count=count, timestamp=0, base_offset=base, leader_epoch=epoch)


def marker(base: int, epoch: int) -> bytes:
    builder = RecordBatchBuilder(
        base_offset=base,
        leader_epoch=epoch,
        producer_id=7,
        producer_epoch=0,
        is_transactional=True,
        is_control=True,
    )
    builder.append(5, b"\0\0\0\1", b"\0" * 6, ())
    return builder.build()


def reading(*answers: bytes, position: int = 0, epoch: int = -1) -> PartitionState:
    """A partition at a position, and what fetches brought."""
    state = PartitionState(HERE)
    state.seek(position, epoch)
    at = position
    for data in answers:
        fetched = FetchedRecords(HERE, data, at, decompressed_bytes_max=1 << 20)
        at = fetched.end_offset
        state.buffered.append(fetched)
    return state


def place(state: PartitionState) -> tuple[int | None, int]:
    return state.position, state.position_epoch


def test_when_all_is_read_the_epoch_is_that_of_the_last_batch() -> None:
    """320-01: with the epoch before it, the position would lie beyond the end of that epoch."""
    state = reading(batch(4, epoch=1), position=4, epoch=0)
    assert state.fill()
    state.take(10)
    assert place(state) == (5, 1)
    assert not state.fill()
    assert place(state) == (5, 1)


def test_batches_without_records_for_the_program_have_their_epoch() -> None:
    """320-01: a marker that a later leader wrote is before the position too."""
    state = reading(batch(0, epoch=0) + marker(1, epoch=2))
    assert state.fill()
    state.take(10)
    assert place(state) == (1, 0)
    assert not state.fill()
    assert place(state) == (2, 2)


def test_before_a_record_in_hand_is_the_batch_before_it() -> None:
    """320-01: also if that batch had nothing for the program."""
    state = reading(batch(0, epoch=0) + marker(1, epoch=1) + batch(2, epoch=1))
    assert state.fill()
    state.take(10)
    assert state.fill()
    assert state.take(1)[0].offset == 2
    assert state.place_in_hand == (2, 1)


def test_the_next_answer_begins_behind_the_one_before() -> None:
    """320-01: across two fetches."""
    state = reading(batch(0, epoch=0) + marker(1, epoch=3), batch(2, epoch=3))
    for _ in range(2):
        assert state.fill()
        assert len(state.take(1)) == 1
    assert state.place_in_hand == (2, 3)
    assert place(state) == (3, 3)
