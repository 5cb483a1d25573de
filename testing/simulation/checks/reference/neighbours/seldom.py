"""What is asked at the beginning of a run: of decisions that many runs never come to."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Final

from barnabas.broker.core.cluster.relinquishing import Relinquished
from barnabas.broker.core.log.leader_epochs import LeaderEpochs
from barnabas.broker.core.log.producer_entry import ProducerEntry
from barnabas.broker.core.replication.isr import InSyncSet
from barnabas.broker.core.replication.progress import Progress
from barnabas.broker.core.replication.replica_selector import RackAwareReplicaSelector
from barnabas.broker.core.replication.truncation import EpochEnd, LocalLog
from barnabas.client.consuming.refusals import Refusal
from barnabas.client.producing.partition_queue import PartitionQueue
from barnabas.client.structs import TopicPartition
from barnabas.client.wire.metadata import MetadataCache, Node, PartitionMetadata, TopicMetadata
from barnabas.testing.simulation.disk import SimulatedDisk

from .. import clients, coordinators, logs, members, quorum, replication, steps, transactions
from .altered import Altered
from .members import COOLDOWN_MS

TOPIC_ID: Final = bytes(15) + b"\x09"


def _epochs() -> LeaderEpochs:
    """Epochs that were skipped are those that nobody wrote in."""
    epochs = LeaderEpochs(SimulatedDisk(Random(0)), "/epochs")
    epochs.epochs, epochs.starts = [1, 2, 5, 6], [0, 4, 9, 12]
    return epochs


def _entry() -> ProducerEntry:
    """One that wrote four batches of two records, with records of others between."""
    entry = ProducerEntry(7, 0)
    for number in range(4):
        entry.add_batch(0, 2 * number + 1, 10 * number + 1, 1, 0)
    return entry


class _Cluster:
    """Three brokers at work."""

    def is_active(self, broker_id: int) -> bool:
        """All are."""
        return broker_id in (1, 2, 3)

    def broker_epoch(self, broker_id: int) -> int:
        """Of its registration."""
        return 10 + broker_id


def _in_sync() -> InSyncSet:
    """Of a leader, number 1, and two followers."""
    around: Any = Altered(None, node_id=1, cluster=_Cluster())
    replica: Any = Altered(
        None,
        topic_id=TOPIC_ID,
        topic="t",
        index=0,
        hooks=None,
        config=Altered(None, min_insync_replicas=2),
    )
    followers: dict[int, Any] = {
        2: Altered(None, broker_epoch=12),
        3: Altered(None, broker_epoch=13),
    }
    return InSyncSet(replica, around, 4, followers, (1, 2, 3), int)


def _leader() -> Any:
    """Of one follower, number 2."""
    progress = Progress(is_in_sync=True, now_ms=0.0)
    return Altered(None, followers={2: progress}, _replica=Altered(None))


def _metadata() -> MetadataCache:
    """Of one partition, led by the first of two nodes in epoch 5."""
    cache = MetadataCache()
    cache.nodes = {1: Node(1, "a", 9092), 2: Node(2, "b", 9092)}
    known = PartitionMetadata(0, 1, 5, (1, 2), (1, 2), (), 0)
    cache.topics["t"] = TopicMetadata("t", TOPIC_ID, {0: known})
    return cache


def _hand_over() -> tuple[Any, ...]:
    """A proposal of the leader, number 1, to go; its partition; and the situation."""
    return (
        Altered(None, isr=[(2, 12), (1, 11)], topic_id=TOPIC_ID, partition=0),
        Altered(None, isr=(1, 2), leader=1),
        Altered(None, relinquished=Relinquished(COOLDOWN_MS), now_ms=50_000.0),
    )


def _downloading() -> tuple[Any, ...]:
    """A voter that loads a snapshot, and the time."""
    replica = Altered(
        None,
        me=None,
        epoch=3,
        told_leader=None,
        proven=None,
        freezing=None,
        fetch_after_ms=0.0,
        config=None,
        ready=Altered(None, freeze=None),
    )
    return replica, None, None, 1_000.0


SELDOM: Final[dict[Callable[..., Any], tuple[Any, ...]]] = {
    coordinators.tried_again: (),
    transactions.taken_over_by_a_cut: (),
    replication.nearest: (RackAwareReplicaSelector(),),
    replication.enough: (_in_sync(),),
    logs.out_of_range: (5, 0, 9),
    logs.rolled_back: (_entry(), 0),
    logs.truncation: (LocalLog(_epochs(), 10, 14), EpochEnd(5, 12)),
    replication.ended: (_leader(), Altered(None, replica_id=2), 1_000.0),
    members.handed_over: (_in_sync(),),
    members.eligible_after: (
        Altered(None, elr=(3,), isr=(1, 2), last_known_elr=()),
        (1, 2, 3),
        Altered(None, isr=(1, 2), unclean=False, leader=1),
        Altered(None, elr=True),
        (),
    ),
    quorum.handed_over: _hand_over(),
    steps.took_piece: _downloading(),
    clients.followed: (_metadata(), "t", 0, 2, 5, None),
    clients.course: (Refusal(1, True, 5, 3, 2, 9),),
    clients.put_back: (
        PartitionQueue(TopicPartition("t", 0), is_idempotent=True, in_flight_max=5),
        Altered(None, order=1),
        0.0,
    ),
}
"""References, and arguments to begin with."""
