"""DescribeQuorum: leader, voters and observers of the metadata log, and how far each is."""

from __future__ import annotations

from typing import Any  # Any: the quorum's answer, or the wait for it

from barnabas.protocol.messages.describe_quorum_request import DescribeQuorumRequest

from ..core.security.resources import CLUSTER, Operation
from ..serving.context import NodeContext
from ..serving.handler import Forwarded, Handler


async def handle(request: DescribeQuorumRequest, context: NodeContext) -> Any:
    """The quorum answers, now or when it has something to tell."""
    context.rights.require(Operation.DESCRIBE, CLUSTER)
    return context.node.quorum.handle(request, context)


HANDLER = Handler(DescribeQuorumRequest, (0, 2), handle, forwarded=Forwarded())
