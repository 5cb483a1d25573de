"""Vote: a voter asks for a vote, or whether it would get one (595-02, 996-01)."""

from __future__ import annotations

from typing import Any  # Any: the quorum's answer, or the wait for it

from barnabas.protocol.messages.vote_request import VoteRequest

from ...core.security.resources import CLUSTER, Operation
from ...serving.context import NodeContext
from ...serving.handler import Handler


def handle(request: VoteRequest, context: NodeContext) -> Any:
    """The quorum answers, now or when it has something to tell."""
    context.rights.require(Operation.CLUSTER_ACTION, CLUSTER)
    return context.node.quorum.handle(request, context)


HANDLER = Handler(VoteRequest, (0, 2), handle)
