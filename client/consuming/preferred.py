"""Which replica a partition is read from: the one near us that its leader named, or the leader.

A leader that knows our rack (`client_rack`) answers a fetch with the replica to read from instead
(KIP-392). That one is kept for `metadata_max_age_ms` and given up earlier (392-14) when a request
to it fails or is refused, and when metadata does not list it as online any more. After a failure
the leader is asked without naming the rack for a while: it would send us back at once.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable

from ..config import ConsumerConfig
from ..structs import ReplicaBytes, TopicPartition
from ..wire.cluster import Cluster
from ..wire.metadata import Node
from .positions import UNKNOWN, PartitionState

log = logging.getLogger("barnabas.client")

REST_AFTER_REFUSAL_S = 1.0
REST_AFTER_FAILURE_S = 5.0
"""How long the leader is read from before a replica that failed may be named again."""


class PreferredReplicas:
    """Chooses the node for each partition, and counts what came from whom (392-17)."""

    def __init__(
        self,
        cluster: Cluster,
        config: ConsumerConfig,
        states: dict[TopicPartition, PartitionState],
        when_moved: Callable[[], None],
    ) -> None:
        self._cluster = cluster
        self._config = config
        self._states = states
        self._when_moved = when_moved
        self._loop = asyncio.get_running_loop()
        self._leader_bytes: dict[int, int] = {}
        self._follower_bytes: dict[int, int] = {}

    def node_of(self, state: PartitionState) -> Node | None:
        """The node to read a partition from; None when it has no leader that is known."""
        metadata = self._cluster.metadata
        leader = metadata.leader(*state.topic_partition)
        if state.preferred == UNKNOWN:
            state.has_damaged_copy = False
            return leader
        node = metadata.nodes.get(state.preferred)
        info = metadata.partition(*state.topic_partition)
        if state.has_damaged_copy:
            self.drop(state, "its copy is damaged", REST_AFTER_FAILURE_S)
        elif self._loop.time() >= state.preferred_until:
            self.drop(state, "it was named long ago")
        elif node is None or info is None or node.node_id in info.offline_replicas:
            self.drop(state, "it is not online", REST_AFTER_FAILURE_S)
            self._cluster.refresh_soon()
        else:
            return node
        self._loop.call_soon(self._when_moved)
        return leader

    def prefer(self, state: PartitionState, node_id: int) -> bool:
        """The leader named another replica; False when it is none that we can reach."""
        if node_id not in self._cluster.metadata.nodes:
            self._cluster.refresh_soon()
            state.leader_until = self._loop.time() + REST_AFTER_REFUSAL_S
            return False
        state.preferred = node_id
        state.preferred_until = self._loop.time() + self._config.metadata_max_age_ms / 1000
        log.debug("%s is read from node %d", state.topic_partition, node_id)
        return True

    def drop(self, state: PartitionState, why: str, rest_s: float = 0.0) -> None:
        """Read from the leader again, for `rest_s` seconds at least."""
        if state.preferred == UNKNOWN:
            return
        log.debug("%s: node %d: %s", state.topic_partition, state.preferred, why)
        state.preferred = UNKNOWN
        state.has_damaged_copy = False
        state.leader_until = self._loop.time() + rest_s

    def refused(self, state: PartitionState, why: str) -> None:
        """Whoever was asked answered with an error for this partition."""
        self.drop(state, why, REST_AFTER_REFUSAL_S)

    def node_failed(self, node_id: int) -> None:
        """A request to a node failed, or its connection was lost."""
        for state in self._states.values():
            if state.preferred == node_id:
                self.drop(state, "its connection failed", REST_AFTER_FAILURE_S)

    def rack_for(self, states: Iterable[PartitionState]) -> str:
        """The rack to name in a fetch of these partitions: none while one must be led."""
        now = self._loop.time()
        if any(state.leader_until > now for state in states):
            return ""
        return self._config.client_rack

    # ------------------------------------------------------------ what came from whom

    def count(self, node_id: int, size: int, *, is_leader: bool) -> None:
        """Record bytes that a node sent."""
        counters = self._leader_bytes if is_leader else self._follower_bytes
        counters[node_id] = counters.get(node_id, 0) + size

    def bytes_read(self) -> list[ReplicaBytes]:
        """See `Consumer.bytes_read`."""
        found = []
        for node_id in sorted({*self._leader_bytes, *self._follower_bytes}):
            node = self._cluster.metadata.nodes.get(node_id)
            rack = None if node is None else node.rack
            found.append(
                ReplicaBytes(
                    node_id,
                    rack,
                    bool(rack) and rack == self._config.client_rack,
                    self._leader_bytes.get(node_id, 0),
                    self._follower_bytes.get(node_id, 0),
                )
            )
        return found
