"""The states of a classic group, and which follows which."""

from __future__ import annotations

from enum import Enum
from typing import Final


class GroupState(Enum):
    """Where a group is in its rebalance; the values are the names that tools are told."""

    EMPTY = "Empty"
    PREPARING = "PreparingRebalance"
    """Members are joining."""
    COMPLETING = "CompletingRebalance"
    """The generation is known, the leader's assignment is not."""
    STABLE = "Stable"
    DEAD = "Dead"
    """The group is no longer here: its shard went away, or it could not be written."""


_FOLLOWING: Final = {
    GroupState.EMPTY: frozenset({GroupState.PREPARING}),
    GroupState.PREPARING: frozenset({GroupState.COMPLETING, GroupState.EMPTY}),
    GroupState.COMPLETING: frozenset({GroupState.STABLE, GroupState.PREPARING}),
    GroupState.STABLE: frozenset({GroupState.PREPARING}),
    GroupState.DEAD: frozenset[GroupState](),
}


def may_follow(state: GroupState, following: GroupState) -> bool:
    """Whether a group may go from `state` to `following`; DEAD may follow every other one."""
    if following is GroupState.DEAD:
        return state is not GroupState.DEAD
    return following in _FOLLOWING[state]
