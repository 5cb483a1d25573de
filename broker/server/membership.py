"""A node's place in its cluster, as its broker uses it; the implementation is in `server/roles`."""

from __future__ import annotations

from typing import Protocol

from barnabas.protocol.message import Message

from ..core.cluster.image import ClusterImage
from ..serving.context import Controllers, Metadata, NodeContext, Quorum


class Membership(Protocol):
    """What a broker knows through the cluster's metadata and its controller."""

    @property
    def image(self) -> ClusterImage:
        """The cluster's metadata, as this node has applied it."""
        ...

    @property
    def metadata(self) -> Metadata: ...

    @property
    def quorum(self) -> Quorum: ...

    @property
    def controllers(self) -> Controllers: ...

    @property
    def broker_epoch(self) -> int:
        """The offset of this broker's registration (631-01); -1 before it is registered."""
        ...

    @property
    def metadata_fresh_since_ms(self) -> float:
        """Monotonic time at which `image` was what the controller had committed (207-09)."""
        ...

    @property
    def is_here(self) -> bool:
        """Whether this node is the active controller, so that nothing is forwarded."""
        ...

    async def forward(self, request: Message, context: NodeContext) -> Message:
        """The active controller's answer to a client's request. Raises KafkaError."""
        ...
