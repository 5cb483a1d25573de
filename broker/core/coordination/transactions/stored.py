"""Transactions as records of `__transaction_state`, and back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from barnabas.protocol.coordinator_records import (
    TRANSACTION_VERSION,
    TRANSACTION_VERSION_BEFORE_KIP_890,
)
from barnabas.protocol.messages.transaction_log_key import TransactionLogKey
from barnabas.protocol.messages.transaction_log_value import (
    PartitionsSchema,
    TransactionLogValue,
)

from ..machine import Record
from .transaction import State, TopicPartition, Transaction


@dataclass(frozen=True, slots=True)
class TransactionRecord(Record):
    """A record of this life of the shard, with the whole of what it says.

    The log does not keep all of it (REC-03), least of all before `transaction.version` 1.
    """

    transaction: Transaction | None = None


def record_of(transactional_id: str, transaction: Transaction, level: int) -> Record:
    """What is written for a transition; `level`: of the feature `transaction.version`.

    An empty transaction is written with null as its partitions, a complete one with none (REC-04).
    """
    is_empty = transaction.state is State.EMPTY
    value = TransactionLogValue(
        producer_id=transaction.producer_id,
        previous_producer_id=transaction.previous_producer_id,
        next_producer_id=transaction.next_producer_id,
        producer_epoch=transaction.epoch,
        transaction_timeout_ms=transaction.timeout_ms,
        transaction_status=int(transaction.state),
        transaction_partitions=None if is_empty else _by_topic(transaction.partitions),
        transaction_last_update_timestamp_ms=transaction.updated_ms,
        transaction_start_timestamp_ms=transaction.started_ms,
        client_transaction_version=transaction.client_version,
    )
    version = TRANSACTION_VERSION
    if level < 1:
        version = TRANSACTION_VERSION_BEFORE_KIP_890
        value.previous_producer_id = value.next_producer_id = -1
        value.client_transaction_version = 0
    key = TransactionLogKey(transactional_id=transactional_id)
    return TransactionRecord(key, value, version, transaction)


def tombstone_of(transactional_id: str) -> Record:
    """What is written when an id is forgotten (TXN-23)."""
    return Record(TransactionLogKey(transactional_id=transactional_id), None)


def transaction_of(record: Record) -> Transaction:
    """What a record with a value says. Raises ValueError for a state that there is not."""
    if isinstance(record, TransactionRecord) and record.transaction is not None:
        return record.transaction
    value = record.value
    assert isinstance(value, TransactionLogValue)
    return Transaction(
        producer_id=value.producer_id,
        epoch=value.producer_epoch,
        timeout_ms=value.transaction_timeout_ms,
        updated_ms=value.transaction_last_update_timestamp_ms,
        state=State(value.transaction_status),
        partitions=frozenset(
            (one.topic, partition)
            for one in value.transaction_partitions or ()
            for partition in one.partition_ids
        ),
        started_ms=value.transaction_start_timestamp_ms,
        previous_producer_id=value.previous_producer_id,
        next_producer_id=value.next_producer_id,
        client_version=value.client_transaction_version,
    )


def _by_topic(partitions: Iterable[TopicPartition]) -> list[PartitionsSchema]:
    found: defaultdict[str, list[int]] = defaultdict(list)
    for topic, partition in sorted(partitions):
        found[topic].append(partition)
    return [PartitionsSchema(topic=topic, partition_ids=ids) for topic, ids in found.items()]
