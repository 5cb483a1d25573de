"""FetchSnapshot: a node that is far behind reads a snapshot in pieces (KIP-630)."""

from __future__ import annotations

from typing import Any  # Any: the quorum's answer

from barnabas.protocol.messages.fetch_snapshot_request import FetchSnapshotRequest

from ...core.security.resources import CLUSTER, Operation
from ...serving.context import NodeContext
from ...serving.handler import Handler


def handle(request: FetchSnapshotRequest, context: NodeContext) -> Any:
    """The quorum answers, now or when it has something to tell."""
    context.rights.require(Operation.CLUSTER_ACTION, CLUSTER)
    return context.node.quorum.handle(request, context)


HANDLER = Handler(FetchSnapshotRequest, (0, 1), handle)
