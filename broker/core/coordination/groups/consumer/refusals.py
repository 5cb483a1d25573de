"""Errors that members of consumer groups are told, with their words."""

from __future__ import annotations

from barnabas.protocol.errors import ErrorCode, KafkaError


def unknown_group(group_id: str) -> KafkaError:
    """GROUP_ID_NOT_FOUND (69, 848-06)."""
    return KafkaError(ErrorCode.GROUP_ID_NOT_FOUND, f"Consumer group {group_id} not found.")


def not_upgraded(group_id: str, reason: str) -> KafkaError:
    """GROUP_ID_NOT_FOUND (69): a classic group with members stays one (848-42)."""
    return KafkaError(
        ErrorCode.GROUP_ID_NOT_FOUND,
        f"Group {group_id} has members that use the classic protocol and cannot become a consumer"
        f" group: {reason}.",
    )


def unknown_member(member_id: str, group_id: str) -> KafkaError:
    """UNKNOWN_MEMBER_ID (25, 848-06)."""
    return KafkaError(
        ErrorCode.UNKNOWN_MEMBER_ID, f"Member {member_id} is not a member of group {group_id}."
    )


def unknown_instance(instance_id: str, group_id: str) -> KafkaError:
    """UNKNOWN_MEMBER_ID (25) of a static member (848-08)."""
    return KafkaError(
        ErrorCode.UNKNOWN_MEMBER_ID, f"Instance id {instance_id} is unknown in group {group_id}."
    )


def fenced_instance(instance_id: str, member_id: str) -> KafkaError:
    """FENCED_INSTANCE_ID (82): another member is this instance (848-08)."""
    return KafkaError(
        ErrorCode.FENCED_INSTANCE_ID,
        f"Static member {member_id} with instance id {instance_id} was fenced by another member.",
    )


def unreleased_instance(instance_id: str, member_id: str) -> KafkaError:
    """UNRELEASED_INSTANCE_ID (111): the member that is this instance has not left (848-08)."""
    return KafkaError(
        ErrorCode.UNRELEASED_INSTANCE_ID,
        f"Static member {member_id} with instance id {instance_id} cannot join the group because"
        " the instance id is owned by another member.",
    )


def fenced_epoch(sent: int, epoch: int) -> KafkaError:
    """FENCED_MEMBER_EPOCH (110): the member must begin anew (848-05)."""
    return KafkaError(
        ErrorCode.FENCED_MEMBER_EPOCH,
        f"The consumer group member has member epoch {sent}, and the group coordinator has"
        f" {epoch}. The member must abandon all its partitions and rejoin.",
    )


def heavy_member(group_id: str) -> KafkaError:
    """GROUP_MAX_SIZE_REACHED (81, 848-07), for want of memory."""
    return KafkaError(
        ErrorCode.GROUP_MAX_SIZE_REACHED,
        f"The subscription is too large: the members of {group_id}, or of all groups, take too "
        "much memory.",
    )


def full_group(group_id: str, size: int) -> KafkaError:
    """GROUP_MAX_SIZE_REACHED (81, 848-07)."""
    return KafkaError(
        ErrorCode.GROUP_MAX_SIZE_REACHED,
        f"Consumer group {group_id} has reached its maximum capacity of {size} members.",
    )
