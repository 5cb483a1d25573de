"""Keys of the timers of consumer groups; those of other kinds of group begin otherwise."""

from __future__ import annotations

from collections.abc import Hashable


def session_key(group_id: str, member_id: str) -> Hashable:
    """Of the end of a member's session."""
    return "consumer session", group_id, member_id


def rebalance_key(group_id: str, member_id: str) -> Hashable:
    """Of the time in which a member must give partitions up."""
    return "consumer rebalance", group_id, member_id


def join_key(group_id: str, member_id: str) -> Hashable:
    """Of the time in which a member of the classic protocol must join again."""
    return "consumer join", group_id, member_id


def sync_key(group_id: str, member_id: str) -> Hashable:
    """Of the time in which a member of the classic protocol must ask for its assignment."""
    return "consumer sync", group_id, member_id


def keys_of(group_id: str, member_id: str) -> tuple[Hashable, ...]:
    """Of all timers that a member may have."""
    kinds = (session_key, rebalance_key, join_key, sync_key)
    return tuple(key(group_id, member_id) for key in kinds)


def pattern_key(group_id: str) -> Hashable:
    """Of the search for topics of a group's patterns."""
    return "consumer patterns", group_id


def targets_key(group_id: str) -> Hashable:
    """Of the work on a large group's targets."""
    return "consumer targets", group_id
