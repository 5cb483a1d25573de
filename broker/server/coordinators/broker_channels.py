"""Connections to the other brokers for one purpose, given up when the broker at their end is gone.

A host that loses power, or is cut off, resets nothing: a request under way there would be waited
for until it times out (30 s by default), and so would everything that is queued behind it, also
after the broker has come back. The metadata know earlier: a broker that is fenced, that is gone, or
that has registered anew answers nothing that it was asked before.
"""

from __future__ import annotations

from ...core.cluster.changes import Changes
from ...core.cluster.image import ClusterImage
from ..peer_channel import PeerChannel
from .services import TransactionServices

NOT_THERE = -1


class BrokerChannels:
    """Channels by broker id. A listener of the metadata."""

    def __init__(self, node: TransactionServices, purpose: str) -> None:
        """`purpose` is part of the client id, by which the others know the connection."""
        self._node = node
        self._purpose = purpose
        self._channels: dict[int, PeerChannel] = {}
        self._epochs: dict[int, int] = {}
        """Of each broker with a channel: its epoch while it is not fenced, else `NOT_THERE`."""

    def of(self, broker_id: int) -> PeerChannel:
        """The channel to this broker; nothing is opened before its first call."""
        channel = self._channels.get(broker_id)
        if channel is None:
            node = self._node
            channel = self._channels[broker_id] = PeerChannel(
                lambda: node.broker_address(broker_id),
                client_id=f"broker-{node.node_id}-{self._purpose}-{broker_id}",
                clock=node.env.clock,
                security=node.peer_security,
            )
            self._epochs[broker_id] = _epoch_in(node.image, broker_id)
        return channel

    def on_image(self, image: ClusterImage, changes: Changes) -> None:
        """A listener of the metadata."""
        for broker_id in changes.brokers:
            channel = self._channels.get(broker_id)
            if channel is None:
                continue
            before, now = self._epochs[broker_id], _epoch_in(image, broker_id)
            self._epochs[broker_id] = now
            if before not in (now, NOT_THERE):
                channel.drop("the broker was fenced, or has registered anew")

    def close(self) -> None:
        """End all connections, for good."""
        for channel in self._channels.values():
            channel.close()


def _epoch_in(image: ClusterImage, broker_id: int) -> int:
    broker = image.brokers.get(broker_id)
    return NOT_THERE if broker is None or broker.fenced else broker.epoch
