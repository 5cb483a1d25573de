"""The cluster as a client is told of it: brokers, their addresses, who may do what."""

from __future__ import annotations

from typing import Final

from barnabas.protocol.errors import ErrorCode, KafkaError

from ..core.cluster.broker_image import BrokerImage
from ..core.cluster.image import ClusterImage
from ..core.cluster.topic_image import PartitionImage
from .context import BrokerContext, NodeContext, NodeServices, Peer

BROKERS: Final = 1
CONTROLLERS: Final = 2
"""Types of endpoints that DescribeCluster may be asked for (KIP-919)."""

_ENDPOINT_TYPE_SINCE: Final = 1

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


def listed_brokers(
    context: BrokerContext, *, with_fenced: bool = False
) -> list[tuple[BrokerImage, str, int]]:
    """Brokers that clients are told of, with host and port for this client, by id.

    These are the live ones, those that died a moment ago (`LostBrokers`), and on request all that
    are fenced.
    """
    image, lost = context.node.image, context.node.lost_brokers
    found = []
    for broker_id in sorted(image.brokers):
        broker = image.brokers[broker_id]
        address = address_of(broker, context) if with_fenced or lost.is_listed(broker) else None
        if address is not None:
            found.append((broker, *address))
    return found


def controller_id(context: NodeContext) -> int:
    """The broker to send changes to: any live one would do, so the one that was asked."""
    broker = context.node.image.brokers.get(context.node.node_id)
    return -1 if broker is None or broker.fenced else broker.broker_id


def cluster_operations(context: NodeContext, *, is_asked: bool) -> int:
    """What the client may do to the cluster, as bits (KIP-430); `NOT_ASKED` if it did not ask."""
    return context.rights.cluster_operations() if is_asked else NOT_ASKED


def check_endpoint_type(asked: int, own: int, context: NodeContext) -> None:
    """Raises KafkaError where DescribeCluster asks for another type than this listener's (KIP-919):
    UNSUPPORTED_ENDPOINT_TYPE (115), MISMATCHED_ENDPOINT_TYPE (114) or INVALID_REQUEST (42).
    """
    names = {BROKERS: "BROKER", CONTROLLERS: "CONTROLLER"}
    if asked not in names:
        raise KafkaError(ErrorCode.UNSUPPORTED_ENDPOINT_TYPE, f"Unsupported endpoint type {asked}")
    if asked != own:
        # Version 0 does not say what it wants, so its asker knows nothing of kinds of endpoints.
        is_told = context.api_version >= _ENDPOINT_TYPE_SINCE
        raise KafkaError(
            ErrorCode.MISMATCHED_ENDPOINT_TYPE if is_told else ErrorCode.INVALID_REQUEST,
            f"The request was sent to an endpoint of type {names[own]}, but we wanted an "
            f"endpoint of type {names[asked]}",
        )


def offline_replicas(partition: PartitionImage, image: ClusterImage) -> list[int]:
    """Replicas on brokers that are gone, fenced, or have lost the replica's directory."""
    found = []
    for at, broker_id in enumerate(partition.replicas):
        broker = image.brokers.get(broker_id)
        directory = partition.directories[at] if at < len(partition.directories) else b""
        if broker is None or broker.fenced or (directory and not broker.is_online(directory)):
            found.append(broker_id)
    return found
