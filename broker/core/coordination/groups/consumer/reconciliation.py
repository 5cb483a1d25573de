"""From what a member has to what it shall have, one step a heartbeat (848-16 to 848-19).

First the member gives up what is no longer its own, and says so. Then it is given what is free.
A partition is free when no other member has it, nor has yet to give it up: so it never has two
owners, whatever is late, lost or repeated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from .member import Current, MemberState
from .partitions import Partitions, TopicPartition


@dataclass(frozen=True, slots=True)
class Aim:
    """What a member shall come to, as the group sees it."""

    epoch: int
    """Of the target assignment."""
    target: Partitions
    is_wanted: Callable[[TopicPartition], bool]
    """Whether the member subscribes to the partition's topic, and the topic is there."""
    is_held_by_another: Callable[[TopicPartition], bool]


def next_step(current: Current, aim: Aim, owned: Partitions | None) -> Current:
    """What the member has after this heartbeat; the same object if nothing changes.

    `owned`: what the member says that it still has; None: it said nothing, so it has everything.
    """
    if current.state is MemberState.UNREVOKED_PARTITIONS:
        if _has_any(owned, current.revoking):
            return _without_unwanted(current, aim, owned)
        return _advance(current, aim, owned)
    if current.is_at(aim.epoch):
        return _without_unwanted(current, aim, owned)
    return _advance(current, aim, owned)


def _has_any(owned: Partitions | None, given_up: Mapping[TopicPartition, int]) -> bool:
    return bool(given_up) and (owned is None or any(one in owned for one in given_up))


def _without_unwanted(current: Current, aim: Aim, owned: Partitions | None) -> Current:
    """Give up what the member does not subscribe to any more, before there is a new target."""
    unwanted = {one: at for one, at in current.assigned.items() if not aim.is_wanted(one)}
    if not unwanted:
        return current
    kept = {one: at for one, at in current.assigned.items() if one not in unwanted}
    is_settled = current.state is MemberState.STABLE and not _has_any(owned, unwanted)
    return replace(
        current,
        state=current.state if is_settled else MemberState.UNREVOKED_PARTITIONS,
        assigned=kept,
        revoking={} if is_settled else {**current.revoking, **unwanted},
    )


def _advance(current: Current, aim: Aim, owned: Partitions | None) -> Current:
    target = {one for one in aim.target if aim.is_wanted(one)}
    kept = {one: at for one, at in current.assigned.items() if one in target}
    given_up = {one: at for one, at in current.assigned.items() if one not in target}
    if _has_any(owned, given_up):
        return replace(
            current,
            state=MemberState.UNREVOKED_PARTITIONS,
            assigned=kept,
            revoking=given_up,
        )
    missing = target.difference(kept)
    free = [one for one in missing if not aim.is_held_by_another(one)]
    waits = len(free) < len(missing)
    step = Current(
        epoch=aim.epoch,
        previous_epoch=current.previous_epoch if current.epoch == aim.epoch else current.epoch,
        state=MemberState.UNRELEASED_PARTITIONS if waits else MemberState.STABLE,
        assigned={**kept, **dict.fromkeys(free, aim.epoch)},
        revoking={},
    )
    return current if step == current else step
