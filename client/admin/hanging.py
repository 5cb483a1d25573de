"""Transactions that hang: open in a partition, and known to no coordinator (KIP-664)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ..errors import TransactionalIdNotFoundError
from ..structs import TopicPartition
from ..wire.cluster import Cluster
from .describe import all_topics
from .transaction_values import HangingTransaction, ProducerState, TransactionDescription
from .transactions import describe_producers, describe_transactions, list_transactions

Open = list[tuple[TopicPartition, ProducerState]]

PARTITIONS_AT_ONCE = 500
"""Partitions of one round of requests."""


async def find_hanging(
    cluster: Cluster,
    partitions: Sequence[TopicPartition] | None,
    open_longer_than_ms: int,
    wall_ms: Callable[[], int],
) -> list[HangingTransaction]:
    """See `Admin.find_hanging_transactions`."""
    wanted = await _all_partitions(cluster) if partitions is None else list(partitions)
    candidates = await _open_too_long(cluster, wanted, wall_ms() - open_longer_than_ms)
    if not candidates:
        return []
    ids = {each.producer_id for _, each in candidates}
    listed = await list_transactions(cluster, (), sorted(ids), None, None)
    owners = {each.producer_id: each.transactional_id for each in listed}
    described = await _described(cluster, set(owners.values()))
    suspects = [
        (where, producer)
        for where, producer in candidates
        if not _is_alive(where, producer, described.get(owners.get(producer.producer_id, "")))
    ]
    # One that ended while coordinators were asked is with none of them, and does not hang.
    still = set(await _open_too_long(cluster, sorted({where for where, _ in suspects}), wall_ms()))
    now_ms = wall_ms()
    return [
        HangingTransaction(
            where, producer, owners.get(producer.producer_id), now_ms - producer.last_timestamp_ms
        )
        for where, producer in suspects
        if (where, producer) in still
    ]


def _is_alive(
    where: TopicPartition, producer: ProducerState, transaction: TransactionDescription | None
) -> bool:
    """Whether a coordinator has this transaction open in this partition, so that it will end it."""
    return (
        transaction is not None
        and transaction.producer_id == producer.producer_id
        and where in transaction.partitions
    )


async def _all_partitions(cluster: Cluster) -> list[TopicPartition]:
    return [
        TopicPartition(topic.name, each.partition_index)
        for topic in await all_topics(cluster)
        if topic.name and not topic.error_code
        for each in topic.partitions
    ]


async def _open_too_long(
    cluster: Cluster, partitions: Sequence[TopicPartition], silent_since_ms: int
) -> Open:
    """Producers with an open transaction that they have added nothing to since then."""
    found: Open = []
    for at in range(0, len(partitions), PARTITIONS_AT_ONCE):
        part = partitions[at : at + PARTITIONS_AT_ONCE]
        for where, producers in (await describe_producers(cluster, part, None)).items():
            found += [
                (where, each)
                for each in producers
                if each.transaction_start_offset is not None
                and each.last_timestamp_ms < silent_since_ms
            ]
    return found


async def _described(
    cluster: Cluster, transactional_ids: Iterable[str]
) -> dict[str, TransactionDescription]:
    found: dict[str, TransactionDescription] = {}
    for each in sorted(transactional_ids):
        try:
            found.update(await describe_transactions(cluster, [each]))
        except TransactionalIdNotFoundError:
            continue  # it was forgotten meanwhile
    return found
