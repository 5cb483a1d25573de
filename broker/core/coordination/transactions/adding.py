"""AddPartitionsToTxn: partitions come into a transaction, or are asked for (TXN-10, TXN-11)."""

from __future__ import annotations

from collections.abc import Mapping

from barnabas.protocol.errors import ErrorCode

from ..machine import Outcome, Producer
from .table import Transactions, still_ending
from .transaction import State, TopicPartition


def add_partitions(
    transactions: Transactions,
    transactional_id: str,
    producer: Producer,
    partitions: frozenset[TopicPartition],
    client_version: int,
) -> Outcome[None]:
    """Have these partitions in the producer's transaction, which begins if there is none.

    Raises KafkaError: 49 and 90 if it is not this producer's, 51 while the last one is ending.
    """
    current = transactions.owned(transactional_id, producer)
    if current.state.is_ending:
        raise still_ending(transactional_id)
    if current.state is State.ONGOING and partitions <= current.partitions:
        return Outcome(None)
    now = transactions.around.now_ms()
    after = current.with_partitions(partitions, client_version, now)
    return transactions.change(transactional_id, after, None)


def verify_partitions(
    transactions: Transactions,
    transactional_id: str,
    producer: Producer,
    partitions: frozenset[TopicPartition],
) -> Outcome[Mapping[TopicPartition, ErrorCode]]:
    """Which of these partitions are in the producer's transaction: 0, or 120 for one that is not.

    It is a write without records: what it saw is committed when it is answered. Otherwise a leader
    might append to a transaction that the next coordinator knows nothing of.
    Raises KafkaError: 49 and 90 if it is not this producer's, 51 while it is ending.
    """
    current = transactions.owned(transactional_id, producer)
    if current.state.is_ending:
        raise still_ending(transactional_id)
    members = current.partitions if current.state is State.ONGOING else frozenset()
    return Outcome(
        {
            one: ErrorCode.NONE if one in members else ErrorCode.TRANSACTION_ABORTABLE
            for one in partitions
        }
    )
