"""BeginQuorumEpoch: a new leader of the metadata quorum tells that it leads (595-07)."""

from __future__ import annotations

from typing import Any  # Any: the quorum's answer, or the wait for it

from barnabas.protocol.messages.begin_quorum_epoch_request import BeginQuorumEpochRequest

from ...core.security.resources import CLUSTER, Operation
from ...serving.context import NodeContext
from ...serving.handler import Handler


def handle(request: BeginQuorumEpochRequest, context: NodeContext) -> Any:
    """The quorum answers, now or when it has something to tell."""
    context.rights.require(Operation.CLUSTER_ACTION, CLUSTER)
    return context.node.quorum.handle(request, context)


HANDLER = Handler(BeginQuorumEpochRequest, (0, 1), handle)
