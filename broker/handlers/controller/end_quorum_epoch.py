"""EndQuorumEpoch: the leader of the metadata quorum resigns (595-08)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any  # Any: the quorum's answer

if TYPE_CHECKING:
    from barnabas.protocol.messages.end_quorum_epoch_request import EndQuorumEpochRequest

    from ..context import RequestContext

VERSIONS = (0, 1)


def handle(request: EndQuorumEpochRequest, context: RequestContext) -> Any:
    """The quorum answers, now or when it has something to tell."""
    return context.node.quorum.handle(request, context)
