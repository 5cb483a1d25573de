"""What a heartbeat must be like, whoever sends it and whatever the group (848-02)."""

from __future__ import annotations

from collections.abc import Iterable

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.consumer_group_heartbeat_request import (
    ConsumerGroupHeartbeatRequest,
)

from ..embedded_protocol import TOPICS_MAX
from .member import JOINS, LEAVES, LEAVES_FOR_A_WHILE, NO_TIMEOUT

MEMBER_IDS_BY_CLIENT_SINCE = 1
"""In version 0 the coordinator makes the id of a member that joins without one."""


def check_heartbeat(
    request: ConsumerGroupHeartbeatRequest, api_version: int, assignors: Iterable[str]
) -> None:
    """Raise KafkaError INVALID_REQUEST (42) or UNSUPPORTED_ASSIGNOR (112) for a bad request."""
    fault = _fault_of_ids(request, api_version)
    if len(request.subscribed_topic_names or ()) > TOPICS_MAX:
        fault = f"More than {TOPICS_MAX} SubscribedTopicNames; use SubscribedTopicRegex."
    if fault is None and request.member_epoch == JOINS:
        fault = _fault_of_join(request)
    if fault is not None:
        raise KafkaError(ErrorCode.INVALID_REQUEST, fault)
    names = list(assignors)
    if request.server_assignor is not None and request.server_assignor not in names:
        raise KafkaError(
            ErrorCode.UNSUPPORTED_ASSIGNOR,
            f"ServerAssignor {request.server_assignor} is not supported."
            f" Supported assignors: {', '.join(names)}.",
        )


def _fault_of_ids(request: ConsumerGroupHeartbeatRequest, api_version: int) -> str | None:
    is_made_here = api_version < MEMBER_IDS_BY_CLIENT_SINCE and request.member_epoch == JOINS
    for name, value, may_be_empty in (
        ("GroupId", request.group_id, False),
        ("MemberId", request.member_id, is_made_here),
        ("InstanceId", request.instance_id, False),
        ("RackId", request.rack_id, False),
    ):
        # As in Kafka, a name of nothing but blanks is none.
        if value is not None and not value.strip() and not may_be_empty:
            return f"{name} can't be empty."
    if request.member_epoch < LEAVES_FOR_A_WHILE:
        return f"MemberEpoch is {request.member_epoch}, but must be greater than or equal to -2."
    if request.member_epoch == LEAVES_FOR_A_WHILE and request.instance_id is None:
        return "InstanceId can't be null where MemberEpoch is -2."
    return None


def _fault_of_join(request: ConsumerGroupHeartbeatRequest) -> str | None:
    if request.rebalance_timeout_ms == NO_TIMEOUT:
        return "RebalanceTimeoutMs must be provided in first request."
    if request.topic_partitions is None or request.topic_partitions:
        return "TopicPartitions must be empty when (re-)joining."
    if request.subscribed_topic_names is None and request.subscribed_topic_regex is None:
        return "Either SubscribedTopicNames or SubscribedTopicRegex must be non-null when joining."
    return None


def leaves(request: ConsumerGroupHeartbeatRequest) -> bool:
    """Whether the member goes, for good or for a while."""
    return request.member_epoch in (LEAVES, LEAVES_FOR_A_WHILE)


def is_full(request: ConsumerGroupHeartbeatRequest) -> bool:
    """Whether the member says all there is to say, and so is told its assignment (848-20)."""
    return (
        request.rebalance_timeout_ms != NO_TIMEOUT
        and (
            request.subscribed_topic_names is not None or request.subscribed_topic_regex is not None
        )
        and request.topic_partitions is not None
    )
