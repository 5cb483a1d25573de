"""JoinGroup: become a member of a classic group, or join its next generation (GRP-01 to GRP-16).

Versions: 1 rebalance timeout, 2 throttle time, 4 ids beforehand (KIP-394), 5 static members
(KIP-345), 6 flexible, 7 protocol type and name in the answer, 8 a reason, 9 leaders that need not
assign (KIP-814).
"""

from __future__ import annotations

from typing import Final

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.join_group_request import JoinGroupRequest
from barnabas.protocol.messages.join_group_response import JoinGroupResponse

from ..core.coordination.groups.classic.admission import check_join
from ..core.coordination.groups.classic.answers import join_refused
from ..core.coordination.groups.classic.member import Client
from ..core.security.resources import Operation, group_resource
from ..serving.context import BrokerContext
from ..serving.handler import Handler

_NULL_NAMES_SINCE: Final = 7
"""From this version on the name of the protocol may be null."""


async def handle(request: JoinGroupRequest, context: BrokerContext) -> JoinGroupResponse:
    """The answer comes when all members have joined, or with an error."""
    context.rights.require(Operation.READ, group_resource(request.group_id))
    client = Client(context.header.client_id or "", context.client_host, context.api_version)
    try:
        check_join(request, context.node.config)
        answer: JoinGroupResponse = await context.node.groups.park(
            request.group_id,
            lambda machine, reply: machine.join(request, client, reply),
        )
    except KafkaError as error:
        answer = join_refused(error.code, request.member_id)
    if answer.protocol_name is None and context.api_version < _NULL_NAMES_SINCE:
        answer.protocol_name = ""
    return answer


def _refuse(request: JoinGroupRequest, code: ErrorCode, message: str | None) -> JoinGroupResponse:
    answer = join_refused(code, request.member_id)
    answer.protocol_name = ""  # the only one that all versions can carry
    return answer


HANDLER = Handler(JoinGroupRequest, (0, 9), handle, refuse=_refuse)
