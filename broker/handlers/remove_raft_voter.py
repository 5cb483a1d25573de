"""RemoveRaftVoter: a voter leaves the metadata quorum (853-01)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any  # Any: the quorum's answer, or the wait for it

if TYPE_CHECKING:
    from barnabas.protocol.messages.remove_raft_voter_request import RemoveRaftVoterRequest

    from .context import RequestContext

VERSIONS = (0, 0)
FORWARDED = True


async def handle(request: RemoveRaftVoterRequest, context: RequestContext) -> Any:
    """The quorum answers, now or when it has something to tell."""
    return context.node.quorum.handle(request, context)
