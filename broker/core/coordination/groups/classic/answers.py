"""Answers to JoinGroup and SyncGroup that say nothing but an error."""

from __future__ import annotations

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.join_group_response import JoinGroupResponse
from barnabas.protocol.messages.sync_group_response import SyncGroupResponse


def join_refused(code: ErrorCode, member_id: str) -> JoinGroupResponse:
    """The answer to a JoinGroup that came to nothing; `member_id` is what the client shall keep."""
    return JoinGroupResponse(
        error_code=int(code), generation_id=-1, protocol_name=None, member_id=member_id
    )


def sync_refused(code: ErrorCode) -> SyncGroupResponse:
    """The answer to a SyncGroup that came to nothing."""
    return SyncGroupResponse(error_code=int(code))
