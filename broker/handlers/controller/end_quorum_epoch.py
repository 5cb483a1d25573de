"""EndQuorumEpoch: the leader of the metadata quorum resigns (595-08)."""

from __future__ import annotations

from typing import Any  # Any: the quorum's answer

from barnabas.protocol.messages.end_quorum_epoch_request import EndQuorumEpochRequest

from ...core.security.resources import CLUSTER, Operation
from ...serving.context import NodeContext
from ...serving.handler import Handler


def handle(request: EndQuorumEpochRequest, context: NodeContext) -> Any:
    """The quorum answers, now or when it has something to tell."""
    context.rights.require(Operation.CLUSTER_ACTION, CLUSTER)
    return context.node.quorum.handle(request, context)


HANDLER = Handler(EndQuorumEpochRequest, (0, 1), handle)
