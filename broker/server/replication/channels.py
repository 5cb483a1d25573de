"""Connections to leaders, as fetchers use them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from ..peer_channel import MAX_FRAME_BYTES, PeerChannel

if TYPE_CHECKING:
    from barnabas.protocol.message import Message

    from .services import ReplicationServices


class Channel(Protocol):
    """What a fetcher uses of a `PeerChannel`."""

    async def call(
        self, request: Message, *, timeout_ms: float, versions: tuple[int, int] | None = None
    ) -> Any:
        """The leader's answer. Raises PeerError."""
        ...

    def close(self) -> None: ...


Connect = Callable[[int, str], Channel]
"""Makes a channel to a broker; the text says what for."""


def channels_of(node: ReplicationServices) -> Connect:
    """Channels that find their leader by the cluster's metadata, each time they connect."""

    def connect(leader_id: int, purpose: str) -> Channel:
        return PeerChannel(
            lambda: node.broker_address(leader_id),
            client_id=f"broker-{node.node_id}-{purpose}-{leader_id}",
            clock=node.env.clock,
            max_frame_bytes=max(MAX_FRAME_BYTES, 2 * node.config.replica_fetch_response_max_bytes),
        )

    return connect
