"""What the parts of one shard of the transaction coordinator share, and its ways out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from ...config.broker import BrokerConfig
from ...ports import Env
from ..machine import ShardTimers
from ..timeline import Timeline
from .transaction import TopicPartition


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of one transaction, which all of its partitions must be told by a marker."""

    transactional_id: str
    producer_id: int
    epoch: int
    coordinator_epoch: int
    """Leader epoch of the partition of `__transaction_state` (TXN-35)."""
    is_commit: bool
    partitions: frozenset[TopicPartition]
    client_version: int
    """`transaction.version` by which the partitions check the marker's epoch (TXN-31)."""
    decision: int
    """Tells it from an earlier end of the same id with the same epoch (TXN-33)."""


class Markers(Protocol):
    """Has markers written, for as long as it takes, and the transaction completed then."""

    def send(self, ending: Ending) -> None:
        """Tell all partitions; replaces what is under way for the same id."""
        ...

    def drop_all(self) -> None:
        """The shard is unloaded: another coordinator sends them."""
        ...


class ProducerIdSource(Protocol):
    """Producer ids that nobody in the cluster ever had (98-01)."""

    def take_now(self) -> int:
        """The next id. Raises KafkaError 14 while the next block is being fetched (TXN-04)."""
        ...


@dataclass(frozen=True, slots=True)
class TransactionSurroundings:
    """Clock, settings, timers, and the ways out of one shard."""

    env: Env
    config: BrokerConfig
    timeline: Timeline
    timers: ShardTimers
    markers: Markers
    producer_ids: ProducerIdSource
    feature_level: Callable[[], int]
    """Level of `transaction.version` that the cluster has finalised."""
    coordinator_epoch: int
    """Leader epoch in which this shard was loaded (TXN-35)."""
    report: Callable[[str, dict[str, object]], object]
    """Event and fields, for the node's log."""

    def now_ms(self) -> int:
        """Wall clock, milliseconds."""
        return self.env.clock.wall_ms()
