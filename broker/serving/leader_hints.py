"""Who leads instead: hints in the answers of a broker that does not lead any more (KIP-951).

- 951-01, 951-02: Fetch from version 16 and Produce from version 10 name the leader of a partition
  that they refuse with 6 or 74, and once each where those leaders are reached on the listener that
  was asked. Fetch names the leader from version 12 on, since there is room for it (C20), but not
  to kafka-python, which then asks a broker that its metadata may not have: `poll` raises
  UnknownBrokerIdError, and nothing is fetched from that broker any more (seen with 3.0.12 after
  each rolling restart). Told nothing, as by Apache Kafka, it asks for metadata.
- 951-03: a leader that is not alive on that listener is named without an address.
- 951-04: any other error, and success, carry nothing.
"""

from __future__ import annotations

from barnabas.protocol.errors import ErrorCode

from ..core.cluster.topic_image import NO_LEADER, PartitionImage
from .cluster_view import address_for
from .context import BrokerServices, Peer

HINTED = frozenset({int(ErrorCode.NOT_LEADER_OR_FOLLOWER), int(ErrorCode.FENCED_LEADER_EPOCH)})
"""Codes that come with a hint."""

FETCH_LEADER_SINCE = 12
FETCH_ENDPOINTS_SINCE = 16
PRODUCE_HINTS_SINCE = 10

NEEDS_ENDPOINTS = "kafka-python"
"""A client that goes wrong when a leader is named whose address it does not know."""

Address = tuple[int, str, int, str | None]
"""Node id, host, port, rack."""


class LeaderHints:
    """The hints of one answer: leaders as they are asked for, and their addresses once each."""

    __slots__ = ("_leaders", "_node", "_peer")

    def __init__(self, node: BrokerServices, peer: Peer) -> None:
        self._node = node
        self._peer = peer
        self._leaders: dict[int, Address | None] = {}

    def may_name(self, version: int) -> bool:
        """Whether answers to Fetch of this version name leaders to this client."""
        if version >= FETCH_ENDPOINTS_SINCE:
            return True
        return version >= FETCH_LEADER_SINCE and self._peer.client_software != NEEDS_ENDPOINTS

    def leader_of(self, topic: str | bytes, index: int) -> tuple[int, int] | None:
        """(leader id, leader epoch) of a partition by topic name or id; None if nobody leads.

        From the replica that is here, else from the metadata.
        """
        replicas = self._node.replicas
        if isinstance(topic, str):
            hosted = replicas.get(topic, index)
        else:
            hosted = replicas.get_by_id(topic, index)
        found: tuple[int, int] | None = None
        if hosted is not None:
            found = (hosted.leader_id, hosted.leader_epoch)
        elif (assigned := self._assigned(topic, index)) is not None:
            found = (assigned.leader, assigned.leader_epoch)
        if found is None or found[0] == NO_LEADER or self._node.env.maybe("hint-left-out"):
            return None
        self._note(found[0])
        if (hooks := self._node.env.hooks) is not None:
            address = self._leaders[found[0]]
            host, port = (None, None) if address is None else address[1:3]
            hooks.on(
                "hint",
                partition=(topic, index),
                leader_id=found[0],
                leader_epoch=found[1],
                host=host,
                port=port,
            )
        return found

    def _assigned(self, topic: str | bytes, index: int) -> PartitionImage | None:
        image = self._node.image
        if isinstance(topic, str):
            found = image.topics_by_name.get(topic)
        else:
            found = image.topics_by_id.get(topic)
        return None if found is None else found.partitions.get(index)

    def _note(self, leader_id: int) -> None:
        if leader_id in self._leaders:
            return
        self._leaders[leader_id] = None
        broker = self._node.image.brokers.get(leader_id)
        if broker is None or broker.fenced:
            return  # 951-03
        address = address_for(broker, self._node, self._peer)
        if address is not None:
            self._leaders[leader_id] = (leader_id, *address, broker.rack)

    def addresses(self) -> list[Address]:
        """Where the leaders that were asked for are reached, each once."""
        return [address for address in self._leaders.values() if address is not None]
