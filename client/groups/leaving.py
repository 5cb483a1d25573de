"""A classic member tells its group that it goes (KIP-800: with the reason)."""

from __future__ import annotations

import logging

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.leave_group_request import LeaveGroupRequest
from barnabas.protocol.messages.leave_group_response import LeaveGroupResponse

from ..errors import error_of
from ..wire.cluster import Cluster
from ..wire.pool import Lane
from .classic_member import ClassicMember
from .coordinator import Coordinator

log = logging.getLogger("barnabas.client")


async def leave_group(
    cluster: Cluster, coordinator: Coordinator, member: ClassicMember, reason: str
) -> None:
    """Ask once; a refusal is logged only, since the session ends anyway. Raises ClientError."""
    node = await coordinator.node()
    connection = await cluster.connection(node, Lane.OFFSETS)
    version = connection.version_of(LeaveGroupRequest)
    request = member.leave_request(version, reason)
    response = await coordinator.call(request, LeaveGroupResponse, at_most=version)
    code = response.error_code or next(
        (each.error_code for each in response.members if each.error_code), 0
    )
    if code and code != ErrorCode.UNKNOWN_MEMBER_ID:
        log.info("leaving group %s: %s", coordinator.key, error_of(code))
