"""FetchSnapshot: a node that is far behind reads a snapshot in pieces (KIP-630)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any  # Any: the quorum's answer

if TYPE_CHECKING:
    from barnabas.protocol.messages.fetch_snapshot_request import FetchSnapshotRequest

    from ..context import RequestContext

VERSIONS = (0, 1)


def handle(request: FetchSnapshotRequest, context: RequestContext) -> Any:
    """The quorum answers, now or when it has something to tell."""
    return context.node.quorum.handle(request, context)
