"""What admin calls about transactions give back."""

from __future__ import annotations

from typing import NamedTuple

from ..structs import TopicPartition

OPEN_STATES = frozenset({"Ongoing", "PrepareCommit", "PrepareAbort", "PrepareEpochFence"})
"""States of a coordinator's transaction in which there is something left to end."""


class TransactionListing(NamedTuple):
    """One transactional id, as its coordinator lists it."""

    transactional_id: str
    producer_id: int
    state: str
    coordinator_id: int
    """Node id of the coordinator."""


class TransactionDescription(NamedTuple):
    """One transactional id and its transaction."""

    transactional_id: str
    coordinator_id: int
    state: str
    producer_id: int
    producer_epoch: int
    timeout_ms: int
    start_time_ms: int | None
    """When the last transaction was begun, in milliseconds since 1970; None: there was none."""
    partitions: tuple[TopicPartition, ...]
    """What is in the open transaction, of the topics that this user may see."""

    @property
    def is_open(self) -> bool:
        """Whether that transaction is open, or about to be complete."""
        return self.state in OPEN_STATES


class ProducerState(NamedTuple):
    """What a partition's leader knows of one idempotent or transactional producer."""

    producer_id: int
    producer_epoch: int
    last_sequence: int
    last_timestamp_ms: int
    coordinator_epoch: int | None
    """Epoch of the coordinator that last ended a transaction here; None when there was none."""
    transaction_start_offset: int | None
    """First offset of the transaction that is open here; None when none is."""


class HangingTransaction(NamedTuple):
    """A transaction that is open in a partition, and that no coordinator will ever end."""

    partition: TopicPartition
    producer: ProducerState
    transactional_id: str | None
    """Whose it was; None when no coordinator knows the producer id any more."""
    open_ms: int
    """For how long the producer has added nothing to it."""
