"""Which replica a consumer should read (KIP-392): asked by the leader, for every fetch (392-04c).

- 392-04: candidates are the leader and those followers that are in sync and hold the offset as far
  as the leader knows.
- 392-04b: by rack. No rack, or nobody in it: the leader. A leader in the same rack is best. Else
  the replica of the rack that has most, among equals the one that was caught up last, then the one
  with the highest id. Racks are compared exactly.
- C15: the setting may be empty, a short name, Kafka's class name, or (resolved by the server) the
  dotted path of a class of one's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from .partition import Partition
from .surroundings import ClusterView


class ClientView(NamedTuple):
    """The consumer that asks."""

    client_id: str
    rack: str
    listener_name: str
    address: str


class ReplicaView(NamedTuple):
    """One candidate, as the leader knows it."""

    broker_id: int
    rack: str | None
    log_end_offset: int
    caught_up_ago_ms: float
    """Time since it was caught up; 0 of the leader."""


class ReplicaSelector(Protocol):
    """Chooses the replica that a consumer is told to read."""

    def select(
        self, client: ClientView, leader: ReplicaView, candidates: Sequence[ReplicaView]
    ) -> ReplicaView | None:
        """One of `candidates` (the leader is among them); None means the leader."""
        ...


class LeaderSelector:
    """Every consumer reads from the leader."""

    def select(
        self, client: ClientView, leader: ReplicaView, candidates: Sequence[ReplicaView]
    ) -> ReplicaView | None:
        """The leader, whoever asks."""
        return leader


class RackAwareReplicaSelector:
    """Consumers read from a replica in their own rack, if there is one (392-04b)."""

    def select(
        self, client: ClientView, leader: ReplicaView, candidates: Sequence[ReplicaView]
    ) -> ReplicaView | None:
        """The best replica of the client's rack, else the leader."""
        if not client.rack or leader.rack == client.rack:
            return leader
        near = [one for one in candidates if one.rack == client.rack]
        if not near:
            return leader
        return max(near, key=lambda one: (one.log_end_offset, -one.caught_up_ago_ms, one.broker_id))


_BUILT_IN: dict[str, type[LeaderSelector] | type[RackAwareReplicaSelector]] = {
    "LeaderSelector": LeaderSelector,
    "RackAwareReplicaSelector": RackAwareReplicaSelector,
    "org.apache.kafka.common.replica.LeaderSelector": LeaderSelector,
    "org.apache.kafka.common.replica.RackAwareReplicaSelector": RackAwareReplicaSelector,
}


def built_in_selector(name: str | None) -> ReplicaSelector | None:
    """The selector that `replica.selector.class` names; None if it names none of ours."""
    found = _BUILT_IN.get(name or "")
    return None if found is None else found()


def preferred_replica(
    selector: ReplicaSelector,
    partition: Partition,
    fetch_offset: int,
    client: ClientView,
    cluster: ClusterView,
    now_ms: float,
) -> int:
    """The follower to read instead of this leader; -1 for the leader itself (392-04).

    Raises KafkaError NOT_LEADER_OR_FOLLOWER (6) if this broker does not lead.
    """
    role = partition.as_leader()
    own_id = role.leader_id
    leader = ReplicaView(own_id, cluster.rack(own_id), partition.log.log_end_offset, 0.0)
    candidates = [leader]
    partition.waiters.settle_resting()
    for broker_id, progress in role.followers.items():
        if (
            broker_id in role.in_sync.committed
            and 0 <= progress.log_start_offset <= fetch_offset <= progress.log_end_offset
        ):
            candidates.append(
                ReplicaView(
                    broker_id,
                    cluster.rack(broker_id),
                    progress.log_end_offset,
                    now_ms - progress.last_caught_up_ms,
                )
            )
    chosen = selector.select(client, leader, candidates)
    if chosen is None or chosen.broker_id == leader.broker_id:
        return -1
    if not cluster.has_endpoint(chosen.broker_id, client.listener_name):
        return -1
    return chosen.broker_id
