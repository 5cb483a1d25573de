"""EndQuorumEpoch: the leader of the metadata quorum resigns (595-08)."""

from __future__ import annotations

from typing import Any  # Any: the quorum's answer

from barnabas.protocol.messages.end_quorum_epoch_request import EndQuorumEpochRequest

from ...serving.context import NodeContext
from ...serving.handler import Handler


def handle(request: EndQuorumEpochRequest, context: NodeContext) -> Any:
    """The quorum answers, now or when it has something to tell."""
    return context.node.quorum.handle(request, context)


HANDLER = Handler(EndQuorumEpochRequest, (0, 1), handle)
