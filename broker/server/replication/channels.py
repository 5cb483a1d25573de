"""Connections to leaders, as fetchers use them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol  # Any: an answer of any API

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


FETCHER = "fetcher"
"""Called when the channel breaks that always has a Fetch under way: the leader has died."""

Connect = Callable[[int, str], Channel]
"""Makes a channel to a broker; the text says what it is for."""


def channels_of(node: ReplicationServices) -> Connect:
    """Channels that look up their leader in the cluster's metadata each time they connect."""

    def connect(leader_id: int, purpose: str) -> Channel:
        return PeerChannel(
            lambda: node.broker_address(leader_id),
            client_id=f"broker-{node.node_id}-{purpose}-{leader_id}",
            clock=node.env.clock,
            security=node.peer_security,
            max_frame_bytes=max(MAX_FRAME_BYTES, 2 * node.config.replica_fetch_response_max_bytes),
            on_lost=partial(_note_lost, node, leader_id) if purpose == FETCHER else None,
        )

    return connect


def _note_lost(node: ReplicationServices, leader_id: int, reason: str) -> None:
    del reason
    node.lost_leaders.note(leader_id)
