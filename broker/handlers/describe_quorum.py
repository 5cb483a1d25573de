"""DescribeQuorum: leader, voters and observers of the metadata log, and how far each is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any  # Any: the quorum's answer, or the wait for it

if TYPE_CHECKING:
    from barnabas.protocol.messages.describe_quorum_request import DescribeQuorumRequest

    from .context import RequestContext

VERSIONS = (0, 2)
FORWARDED = True


async def handle(request: DescribeQuorumRequest, context: RequestContext) -> Any:
    """The quorum answers, now or when it has something to tell."""
    return context.node.quorum.handle(request, context)
