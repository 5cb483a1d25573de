"""Markers at the leader: which epochs are over, and what a marker does without a transaction."""

from __future__ import annotations

from pathlib import Path

import pytest
from kit.log_batches import BASE_TIME, batch
from kit.logs import open_log
from kit.replicas import Replica

from barnabas.broker.core.replication.end_markers import EndMarker, append_marker
from barnabas.broker.core.replication.own_writes import append_own
from barnabas.protocol.control_records import ControlType, decode_control
from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.end_txn_marker import EndTxnMarker
from barnabas.protocol.record_batch import read_batch_header
from barnabas.protocol.records import decode_batch

PID = 1000
OK = ErrorCode.NONE
FENCED = ErrorCode.TRANSACTION_COORDINATOR_FENCED
OLD = ErrorCode.INVALID_PRODUCER_EPOCH


def leading(directory: Path) -> Replica:
    one = Replica(directory)
    one.lead(1)
    return one


def write(one: Replica, epoch: int, sequence: int = 0) -> None:
    """A transactional batch of one record."""
    data = memoryview(batch(b"x", producer_id=PID, epoch=epoch, sequence=sequence, attributes=0x10))
    one.partition.append(data, 0, len(data), BASE_TIME)


def mark(
    one: Replica, epoch: int, *, commit: bool = True, coordinator: int = 0, version: int = 0
) -> ErrorCode:
    """What the marker comes to."""
    end = one.partition.log.log_end_offset
    try:
        append_marker(one.partition, EndMarker(PID, epoch, coordinator, commit, version), BASE_TIME)
    except KafkaError as error:
        assert one.partition.log.log_end_offset == end
        return error.code
    assert one.partition.log.log_end_offset == end + 1
    return OK


@pytest.mark.parametrize("is_commit", [True, False])
def test_a_marker_ends_the_transaction(tmp_path: Path, is_commit: bool) -> None:
    """The LSO moves past it once it is committed, and an abort is listed (TXN-30, TXN-40)."""
    one = leading(tmp_path)
    write(one, 3)
    assert one.partition.log.last_stable_offset == 0
    assert mark(one, 3, commit=is_commit, coordinator=8) is OK
    log = one.partition.log
    assert log.last_stable_offset == 2
    assert log.aborted_transactions(0, 2) == ([] if is_commit else [(PID, 0)])
    stored = log.read(1, 1000, 2)
    header = read_batch_header(stored, 0)
    assert header.is_control
    assert header.is_transactional
    assert (header.producer_id, header.producer_epoch, header.base_sequence) == (PID, 3, -1)
    (record,) = decode_batch(stored, 0)
    control = decode_control(record.key, record.value)
    assert control.type is (ControlType.COMMIT if is_commit else ControlType.ABORT)
    assert isinstance(control.value, EndTxnMarker)
    assert control.value.coordinator_epoch == 8


@pytest.mark.parametrize(
    ("epoch", "coordinator", "version", "code"),
    [
        (5, 4, 0, OK),
        (5, 3, 0, FENCED),
        (6, 3, 2, FENCED),
        (4, 3, 0, FENCED),
        (4, 4, 0, OLD),
        (4, 4, 2, OLD),
        (6, 4, 0, OK),
        (5, 4, 2, OLD),
        (6, 4, 2, OK),
        (6, 5, 2, OK),
    ],
)
def test_epochs_that_are_over(
    tmp_path: Path, epoch: int, coordinator: int, version: int, code: ErrorCode
) -> None:
    """52 for a coordinator that was replaced, 47 for a producer epoch that was (TXN-31)."""
    one = leading(tmp_path)
    write(one, 5)
    assert mark(one, 5, coordinator=4) is OK
    write(one, 5, 1)
    assert mark(one, epoch, coordinator=coordinator, version=version) is code


def test_a_marker_may_come_again(tmp_path: Path) -> None:
    """An equal epoch is right where the transaction is closed, and at the last epoch (TXN-31)."""
    one = leading(tmp_path)
    write(one, 5)
    assert mark(one, 6, version=2) is OK
    assert mark(one, 6, version=2) is OK
    write(one, 32767)
    assert mark(one, 32767, version=2) is OK


def test_a_marker_without_a_transaction_fences(tmp_path: Path) -> None:
    """It is written, aborts nothing, and late writes of older epochs are refused (TXN-32)."""
    one = leading(tmp_path)
    write(one, 5)
    assert mark(one, 5) is OK
    assert mark(one, 6, commit=False) is OK
    assert one.partition.log.aborted_transactions(0, 3) == []
    with pytest.raises(KafkaError) as refused:
        write(one, 5, 1)
    assert refused.value.code is OLD
    write(one, 6)


def test_too_few_replicas_or_no_leader(tmp_path: Path) -> None:
    """19 and 6, and nothing is written (TXN-33)."""
    one = Replica(tmp_path, min_insync_replicas=2)
    one.lead(1)
    assert mark(one, 5) is ErrorCode.NOT_ENOUGH_REPLICAS
    one.partition.follow(2, 9)
    assert mark(one, 5) is ErrorCode.NOT_LEADER_OR_FOLLOWER


def test_a_replaced_leader_knows_the_epochs(tmp_path: Path) -> None:
    """Recovery keeps epochs of producers and coordinators (TXN-31)."""
    one = leading(tmp_path)
    write(one, 5)
    assert mark(one, 6, coordinator=4, version=2) is OK
    log = one.partition.log
    directory = log.directory
    log.close()
    entry = open_log(directory).producers.by_id[PID]
    assert (entry.epoch, entry.coordinator_epoch) == (6, 4)


def test_what_coordinators_write_has_no_sequence(tmp_path: Path) -> None:
    """Batches of a transaction all begin at 0 and none is taken for another; older epochs are
    refused (CRT-10)."""
    one = leading(tmp_path)
    data = bytes(batch(b"x", producer_id=PID, epoch=5, sequence=0, attributes=0x10))
    assert [append_own(one.partition, data, BASE_TIME).base_offset for _ in range(3)] == [0, 1, 2]
    assert one.partition.log.last_stable_offset == 0
    assert mark(one, 6, version=2) is OK
    with pytest.raises(KafkaError) as refused:
        append_own(one.partition, data, BASE_TIME)
    assert refused.value.code is OLD
    assert one.partition.log.last_stable_offset == 4
