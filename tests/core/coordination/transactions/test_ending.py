"""EndTxn: the complete table, epochs that run out, requests that come again, and markers."""

from __future__ import annotations

import pytest
from kit.transaction_shards import BEFORE, BUMPS, ID, ONE, TransactionShard, code_of

from barnabas.broker.core.coordination.loaded_batch import TRANSACTION_RECORDS, decode_slice
from barnabas.broker.core.coordination.machine import Producer
from barnabas.broker.core.coordination.transactions.ending import complete
from barnabas.broker.core.coordination.transactions.transaction import State, Transaction
from barnabas.protocol.coordinator_records import encode_key, encode_value
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.transaction_log_key import TransactionLogKey
from barnabas.protocol.messages.transaction_log_value import TransactionLogValue
from barnabas.protocol.record_builder import RecordBatchBuilder

PID = 7
NEXT = 1000
EPOCH = 5
OK = ErrorCode.NONE
CONCURRENT = ErrorCode.CONCURRENT_TRANSACTIONS
MAPPING = ErrorCode.INVALID_PRODUCER_ID_MAPPING
FENCED = ErrorCode.PRODUCER_FENCED
INVALID = ErrorCode.INVALID_TXN_STATE

E, ON, PC, PA, CC, CA = (
    State.EMPTY,
    State.ONGOING,
    State.PREPARE_COMMIT,
    State.PREPARE_ABORT,
    State.COMPLETE_COMMIT,
    State.COMPLETE_ABORT,
)

STATES = (E, ON, PC, PA, CC, CA)

TABLE = [
    # version, state, epoch sent against the present one, commit, abort; a state: what it becomes
    (BEFORE, ON, 0, PC, PA),
    (BEFORE, PC, 0, CONCURRENT, INVALID),
    (BEFORE, PA, 0, INVALID, CONCURRENT),
    (BEFORE, CC, 0, OK, INVALID),
    (BEFORE, CA, 0, INVALID, OK),
    (BEFORE, E, 0, INVALID, INVALID),
    *(
        (BEFORE, state, sent, FENCED, FENCED)
        for state in (E, ON, PC, PA, CC, CA)
        for sent in (-1, 1)
    ),
    (BUMPS, ON, 0, PC, PA),
    (BUMPS, ON, -1, FENCED, FENCED),
    (BUMPS, PC, -1, CONCURRENT, INVALID),
    (BUMPS, PA, -1, INVALID, CONCURRENT),
    # The producer is in its next transaction already, which waits for this one.
    (BUMPS, PC, 0, CONCURRENT, CONCURRENT),
    (BUMPS, PA, 0, CONCURRENT, CONCURRENT),
    (BUMPS, CC, -1, OK, INVALID),
    (BUMPS, CC, 0, INVALID, PA),
    (BUMPS, CA, -1, INVALID, OK),
    (BUMPS, CA, 0, INVALID, PA),
    (BUMPS, E, 0, INVALID, PA),
    (BUMPS, E, -1, FENCED, FENCED),
    *(
        (BUMPS, state, sent, FENCED, FENCED)
        for state in (E, ON, PC, PA, CC, CA)
        for sent in (-2, 1)
    ),
]


def shard_in(state: State, epoch: int = EPOCH, version: int = BUMPS) -> TransactionShard:
    shard = TransactionShard()
    partitions = ONE if state in (ON, PC, PA) else frozenset()
    shard.put(
        Transaction(
            producer_id=PID,
            epoch=epoch,
            timeout_ms=1,
            updated_ms=1,
            state=state,
            partitions=partitions,
            started_ms=1,
            previous_producer_id=PID,
            client_version=version,
        )
    )
    return shard


@pytest.mark.parametrize("is_commit", [True, False])
@pytest.mark.parametrize(("version", "state", "sent", "commit", "abort"), TABLE)
def test_every_row(
    version: int, state: State, sent: int, commit: object, abort: object, is_commit: bool
) -> None:
    """What a commit and an abort come to in each state, by version and epoch (TXN-13)."""
    expected = commit if is_commit else abort
    shard = shard_in(state, version=version)
    before = shard.now
    producer = Producer(PID, EPOCH + sent)
    if isinstance(expected, State):
        following = shard.end(producer, is_commit=is_commit, version=version)
        bump = 1 if version == BUMPS else 0
        assert following == Producer(PID, EPOCH + bump)
        assert shard.now.state is expected
        assert shard.now.epoch == EPOCH + bump
        (ending,) = shard.markers.sent
        assert ending.is_commit is is_commit
        assert (ending.producer_id, ending.epoch) == (PID, EPOCH + bump)
        assert ending.partitions == before.partitions
        assert ending.client_version == version
        return
    if expected is OK:
        assert shard.end(producer, is_commit=is_commit, version=version) == Producer(PID, EPOCH)
    else:
        call = lambda: shard.end(producer, is_commit=is_commit, version=version)  # noqa: E731
        assert code_of(call) is expected
    assert shard.now == before
    assert not shard.markers.sent


def test_who_is_not_the_owner() -> None:
    """49 for an unknown id and for another producer id (TXN-13)."""
    for version in (BEFORE, BUMPS):
        shard = TransactionShard()
        end = lambda: shard.end(Producer(1, 0), is_commit=True, version=version)  # noqa: B023, E731
        assert code_of(end) is MAPPING
        shard = shard_in(ON)
        assert code_of(end) is MAPPING


def test_markers_wait_until_the_decision_is_committed() -> None:
    """Nothing is sent, nor answered, before Prepare is replicated (TXN-20)."""
    shard = shard_in(ON)
    shard.shard.commits_at_once = False
    shard.end(Producer(PID, EPOCH), is_commit=True)
    assert not shard.markers.sent
    shard.shard.fail(ErrorCode.NOT_LEADER_OR_FOLLOWER)
    assert not shard.markers.sent
    assert shard.now.state is ON
    shard.end(Producer(PID, EPOCH), is_commit=False)
    shard.shard.commit()
    assert [ending.is_commit for ending in shard.markers.sent] == [False]


def test_complete_keeps_what_producers_ask_for_later() -> None:
    """No partitions, written as none and not as null (TXN-34, REC-04)."""
    shard = shard_in(ON)
    shard.end(Producer(PID, EPOCH), is_commit=True)
    shard.complete()
    assert shard.now.state is CC
    value = shard.shard.log[-1].value
    assert value is not None
    assert value.transaction_partitions == []  # type: ignore[attr-defined]  # a TransactionLogValue
    shard.init()
    value = shard.shard.log[-1].value
    assert value.transaction_partitions is None  # type: ignore[union-attr]  # the same


def test_epochs_run_out() -> None:
    """Markers have the last epoch; answer, Complete and a request that comes again the new id
    (TXN-13)."""
    shard = shard_in(ON, 32766)
    old = Producer(PID, 32766)
    assert shard.end(old, is_commit=True) == Producer(NEXT, 0)
    (ending,) = shard.markers.sent
    assert (ending.producer_id, ending.epoch) == (PID, 32767)
    assert code_of(lambda: shard.end(old, is_commit=True)) is CONCURRENT
    assert code_of(lambda: shard.end(old, is_commit=False)) is INVALID
    assert code_of(lambda: shard.end(Producer(NEXT, 0), is_commit=False)) is CONCURRENT
    shard.complete()
    assert (shard.now.producer_id, shard.now.epoch) == (NEXT, 0)
    assert shard.end(old, is_commit=True) == Producer(NEXT, 0)
    assert code_of(lambda: shard.end(old, is_commit=False)) is INVALID
    loaded = TransactionShard(log=shard.shard.log)
    assert loaded.end(old, is_commit=True) == Producer(NEXT, 0)
    loaded.add(Producer(NEXT, 0))
    assert code_of(lambda: loaded.end(old, is_commit=True)) in (FENCED, MAPPING)
    assert loaded.end(Producer(NEXT, 0), is_commit=True) == Producer(NEXT, 1)


def test_the_last_epoch_is_given_to_nobody() -> None:
    """An older producer that was fenced at the end of its epochs does not go on (TXN-13)."""
    shard = shard_in(CA, 32767, version=BEFORE)
    assert code_of(lambda: shard.end(Producer(PID, 32766), is_commit=False)) is FENCED
    assert code_of(lambda: shard.end(Producer(PID, 32767), is_commit=False)) is FENCED


def test_a_load_sends_markers_again() -> None:
    """Each decision that is not complete, with the epoch of the new coordinator (TXN-34)."""
    shard = shard_in(ON)
    shard.end(Producer(PID, EPOCH), is_commit=True)
    loaded = TransactionShard(log=shard.shard.log, coordinator_epoch=3)
    (ending,) = loaded.markers.sent
    assert ending.is_commit
    assert ending.coordinator_epoch == 3
    assert ending.partitions == ONE
    loaded.complete()
    assert loaded.now.state is CC


def test_a_late_completion_ends_no_later_transaction() -> None:
    """Without epoch bumps two ends look the same; each completes itself alone (TXN-33)."""
    shard = shard_in(ON, version=BEFORE)
    producer = Producer(PID, EPOCH)
    shard.end(producer, is_commit=True, version=BEFORE)
    (first,) = shard.markers.sent
    shard.complete()
    shard.add(producer, ONE, BEFORE)
    shard.end(producer, is_commit=True, version=BEFORE)
    shard.write(lambda: complete(shard.transactions, first))
    assert shard.now.state is PC
    shard.complete()
    assert shard.now.state is CC
    assert shard.markers.sent[1].transactional_id == ID


@pytest.mark.parametrize(("level", "version"), [(0, 0), (1, 1), (2, 1)])
def test_the_version_that_is_written(level: int, version: int) -> None:
    """The flexible form from `transaction.version` 1 on (REC-05)."""
    shard = TransactionShard(level=level)
    producer = shard.init().producer
    shard.add(producer, ONE, BEFORE)
    assert [record.version for record in shard.shard.log] == [version] * 2
    assert shard.stored.partitions == ONE


def test_a_state_that_there_is_not_fails_the_load() -> None:
    """Better no coordinator than one that misses an id (CRT-21)."""
    shard = shard_in(ON)
    record = shard.shard.log[-1]
    assert record.value is not None
    record.value.transaction_status = 7  # type: ignore[attr-defined]  # a TransactionLogValue
    with pytest.raises(ValueError, match="7"):
        TransactionShard(log=[record])


def test_records_of_later_versions_are_skipped() -> None:
    """A coordinator of transactions leaves them unread, one of groups does not load (CRT-15)."""
    key = encode_key(TransactionLogKey(transactional_id="t"))
    builder = RecordBatchBuilder()
    builder.append(0, key, b"\x00\x09whatever")
    builder.append(0, key, encode_value(TransactionLogValue(transaction_status=1), 1))
    builder.append(0, b"\x00\x63", b"\x00\x00")
    found = decode_slice(builder.build(), TRANSACTION_RECORDS)
    ((record, offset),) = found.batches[0].records
    assert (offset, record.version) == (1, 1)
    assert found.unknown == {0: 1, 99: 1}
