"""FetchSnapshot: a node that is far behind reads a snapshot in pieces (KIP-630)."""

from __future__ import annotations

from typing import Any  # Any: the quorum's answer

from barnabas.protocol.messages.fetch_snapshot_request import FetchSnapshotRequest

from ...serving.context import NodeContext
from ...serving.handler import Handler


def handle(request: FetchSnapshotRequest, context: NodeContext) -> Any:
    """The quorum answers, now or when it has something to tell."""
    return context.node.quorum.handle(request, context)


HANDLER = Handler(FetchSnapshotRequest, (0, 1), handle)
