"""Keys of the timers of consumer groups; those of other kinds of group begin otherwise."""

from __future__ import annotations

from collections.abc import Hashable


def session_key(group_id: str, member_id: str) -> Hashable:
    """Of the end of a member's session."""
    return "consumer session", group_id, member_id


def rebalance_key(group_id: str, member_id: str) -> Hashable:
    """Of the time in which a member must give partitions up."""
    return "consumer rebalance", group_id, member_id


def pattern_key(group_id: str) -> Hashable:
    """Of the search for topics of a group's patterns."""
    return "consumer patterns", group_id
