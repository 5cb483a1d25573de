"""The cluster as a client is told of it: live brokers, their addresses, who may do what."""

from __future__ import annotations

from typing import Final

from ..core.cluster.broker_image import BrokerImage
from ..core.cluster.image import ClusterImage
from ..core.cluster.topic_image import PartitionImage
from .context import NodeContext, NodeServices, Peer

NOT_ASKED: Final = -(2**31)
"""What answers hold for operations that the client did not ask about."""


def address_of(broker: BrokerImage, context: NodeContext) -> tuple[str, int] | None:
    """Where this client reaches `broker`; None if it does not listen where the client asked."""
    return address_for(broker, context.node, context.peer)


def address_for(broker: BrokerImage, node: NodeServices, peer: Peer) -> tuple[str, int] | None:
    """Where the client at the other end of `peer` reaches `broker`; None if it cannot.

    Our own address is the one that this connection was dialled on, unless one is advertised
    (design, decision 9).
    """
    if broker.broker_id == node.node_id and not node.config.advertised_listeners:
        return peer.local_host, peer.local_port
    endpoint = broker.endpoint(peer.listener_name)
    return None if endpoint is None else (endpoint.host, endpoint.port)


def live_brokers(context: NodeContext) -> list[tuple[BrokerImage, str, int]]:
    """Brokers that are not fenced, with host and port for this client, by id."""
    image = context.node.image
    found = []
    for broker_id in sorted(image.brokers):
        broker = image.brokers[broker_id]
        address = None if broker.fenced else address_of(broker, context)
        if address is not None:
            found.append((broker, *address))
    return found


def controller_id(context: NodeContext) -> int:
    """The broker to send changes to: any live one would do, so the one that was asked."""
    broker = context.node.image.brokers.get(context.node.node_id)
    return -1 if broker is None or broker.fenced else broker.broker_id


def offline_replicas(partition: PartitionImage, image: ClusterImage) -> list[int]:
    """Replicas on brokers that are gone, fenced, or have lost the replica's directory."""
    found = []
    for at, broker_id in enumerate(partition.replicas):
        broker = image.brokers.get(broker_id)
        directory = partition.directories[at] if at < len(partition.directories) else b""
        if broker is None or broker.fenced or (directory and not broker.is_online(directory)):
            found.append(broker_id)
    return found
