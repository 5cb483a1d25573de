"""UpdateRaftVoter: a voter tells its addresses and versions (KIP-853)."""

from __future__ import annotations

from typing import Any  # Any: the quorum's answer, or the wait for it

from barnabas.protocol.messages.update_raft_voter_request import UpdateRaftVoterRequest

from ...core.security.resources import CLUSTER, Operation
from ...serving.context import NodeContext
from ...serving.handler import Handler


def handle(request: UpdateRaftVoterRequest, context: NodeContext) -> Any:
    """The quorum answers, now or when it has something to tell."""
    context.rights.require(Operation.CLUSTER_ACTION, CLUSTER)
    return context.node.quorum.handle(request, context)


HANDLER = Handler(UpdateRaftVoterRequest, (0, 0), handle)
