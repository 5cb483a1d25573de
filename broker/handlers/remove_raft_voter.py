"""RemoveRaftVoter: a voter leaves the metadata quorum (853-01)."""

from __future__ import annotations

from typing import Any  # Any: the quorum's answer, or the wait for it

from barnabas.protocol.messages.remove_raft_voter_request import RemoveRaftVoterRequest

from ..core.security.resources import CLUSTER, Operation
from ..serving.context import NodeContext
from ..serving.handler import Forwarded, Handler


async def handle(request: RemoveRaftVoterRequest, context: NodeContext) -> Any:
    """The quorum answers, now or when it has something to tell."""
    context.rights.require(Operation.ALTER, CLUSTER)
    return context.node.quorum.handle(request, context)


HANDLER = Handler(RemoveRaftVoterRequest, (0, 0), handle, forwarded=Forwarded())
