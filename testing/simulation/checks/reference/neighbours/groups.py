"""Members of other generations and epochs, twins of static ones, partitions that others hold."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from barnabas.broker.core.coordination.groups.classic.states import GroupState
from barnabas.broker.core.coordination.groups.consumer.member import BORN, Current, MemberState
from barnabas.broker.core.coordination.groups.consumer.reconciliation import Aim
from barnabas.protocol.primitives import ZERO_UUID

from .altered import NEAR, QUESTIONS, Altered, Questions

STATES = tuple(state for state in GroupState if state is not GroupState.DEAD)
VERSIONS = (8, 9)
STRANGER = "a stranger"


class Quiet:
    """Who drives a group, and is not told of signs of life."""

    def heard_of(self, group: Any, member: Any) -> None:
        """Nothing is kept."""


def named(random: Random, group: Any, member_id: str, instance_id: str | None) -> Questions:
    del instance_id
    ids = [one.member_id for one in group.roster] + [member_id, STRANGER]
    instances = [one.instance_id for one in group.roster] + [STRANGER, None]
    for _ in range(QUESTIONS):
        yield group, random.choice(ids), random.choice(instances)


def classic_commit(random: Random, group: Any, committer: Any, partitions: Any) -> Questions:
    ids = [one.member_id for one in group.roster] + [committer.member_id, "", STRANGER]
    instances = [one.instance_id for one in group.roster] + [None, None]
    for _ in range(2 * QUESTIONS):
        near = Altered(group, state=random.choice(STATES), _keeper=Quiet())
        epoch = random.choice((-1, *(group.generation + step for step in NEAR)))
        other = replace(
            committer,
            member_id=random.choice(ids),
            epoch=epoch,
            instance_id=random.choice(instances),
            is_transactional=random.random() < 0.2,
        )
        yield near, other, partitions


def synced(random: Random, syncing: Any, group: Any, request: Any, reply: Any) -> Questions:
    """Only of other generations: any other would be answered."""
    for step in (-1, 1):
        near = Altered(request, generation_id=group.generation + step)
        ids = [one.member_id for one in group.roster] + [STRANGER]
        near = Altered(near, member_id=random.choice(ids), group_instance_id=None)
        yield syncing, group, near, reply


def beat(random: Random, leaving: Any, group: Any, request: Any) -> Questions:
    for args in synced(random, leaving, group, request, None):
        yield args[:3]


def consumer_commit(random: Random, group: Any, committer: Any, partitions: Any) -> Questions:
    current = group.state.currents.get(committer.member_id) or BORN
    ids = (committer.member_id, committer.member_id, committer.member_id, STRANGER, "")
    for _ in range(2 * QUESTIONS):
        epoch = current.epoch + random.choice((-2, *NEAR))
        other = replace(
            committer,
            member_id=random.choice(ids),
            epoch=epoch,
            api_version=random.choice(VERSIONS),
            is_transactional=random.random() < 0.2,
        )
        given = {one: epoch + random.choice(NEAR) for one in current.held}
        is_revoking = random.random() < 0.5
        has = replace(
            current, assigned={} if is_revoking else given, revoking=given if is_revoking else {}
        )
        state = Altered(group.state, currents=_One(has), current=_One(has).get)
        yield Altered(group, state=state), other, partitions


class _One:
    """The same of every member, at any time."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def get(self, member_id: str) -> Any:
        """As it is now."""
        del member_id
        return self._value

    def at(self, member_id: str, offset: int) -> Any:
        """As it was."""
        del member_id, offset
        return self._value


def consumer_fetch(random: Random, group: Any, committer: Any, offset: int) -> Questions:
    current = group.state.currents.at(committer.member_id, offset) or BORN
    for _ in range(QUESTIONS):
        member_id = random.choice((committer.member_id, committer.member_id, STRANGER))
        epoch = current.epoch + random.choice(NEAR)
        yield group, replace(committer, member_id=member_id, epoch=epoch), offset


def _partition(number: int) -> tuple[bytes, int]:
    return ZERO_UUID, number


def _some(random: Random, share: float = 0.5) -> frozenset[tuple[bytes, int]]:
    return frozenset(_partition(number) for number in range(4) if random.random() < share)


def _current(random: Random, epoch: int) -> Current:
    assigned = dict.fromkeys(_some(random), epoch - 1)
    state = random.choice(tuple(MemberState))
    revoking = dict.fromkeys(_some(random) - assigned.keys(), epoch - 1)
    if state is not MemberState.UNREVOKED_PARTITIONS:
        revoking = {}
    return Current(epoch, epoch - random.choice((1, 1, 2)), state, assigned, revoking)


def epoch_known(random: Random, sent: int, current: Any, owned: Any) -> Questions:
    del sent, current, owned
    for _ in range(2 * QUESTIONS):
        near = _current(random, random.randint(4, 6))
        has = frozenset(near.assigned)
        owned_ = random.choice((None, has, has | {_partition(3)}, frozenset()))
        yield random.choice((0, *range(2, 8))), near, owned_


def next_step(random: Random, current: Any, aim: Any, owned: Any) -> Questions:
    del current, aim, owned
    for _ in range(2 * QUESTIONS):
        near = _current(random, random.randint(4, 5))
        wanted, held = _some(random, 0.8), _some(random, 0.3) - near.held
        asked = Aim(random.randint(4, 6), _some(random), wanted.__contains__, held.__contains__)
        has = near.held
        kept = frozenset(one for one in has if random.random() < 0.5)
        yield near, asked, random.choice((None, has, kept, frozenset()))


def held(random: Random, current: Any) -> Questions:
    del current
    for _ in range(QUESTIONS):
        yield (_current(random, 5),)


def spoke(
    random: Random, draft: Any, request: Any, client: Any, owned: Any, max_size: int
) -> Questions:
    """Only twins that are refused: any other would take a place."""
    del owned
    for instance, holder in list(draft.state.instances.items()):
        member = draft.member(holder)
        if member is None or member.classic is not None:
            continue
        is_away = draft.current(holder).epoch < 0
        epoch = random.choice((2, 5)) if is_away else random.choice((0, 0, 5))
        twin = Altered(request, instance_id=instance, member_id=STRANGER, member_epoch=epoch)
        yield draft, twin, client, frozenset(), max_size


def expiry_start(random: Random, group: Any, topic: str, commit_ms: int) -> Questions:
    for _ in range(QUESTIONS):
        kind = random.choice(("", "consumer", "consumer", "connect"))
        near = Altered(
            group,
            state=random.choice(STATES),
            state_since_ms=random.choice((None, commit_ms + 5)),
            protocol_type=kind,
            _topics=group.subscriptions.topics if kind == "consumer" else None,
        )
        yield near, random.choice((topic, STRANGER)), commit_ms


def expired(
    random: Random, sweep: Any, group_id: str, group: Any, partition: Any, committed: Any
) -> Questions:
    now_ms = sweep._around.env.clock.wall_ms()
    retention_ms = sweep._around.config.offsets_retention_minutes * 60_000
    for _ in range(QUESTIONS):
        start_ms = now_ms - retention_ms + random.choice(NEAR)
        begins = random.choice((None, start_ms, start_ms, start_ms))
        near = Altered(
            group,
            is_subscribed=_Always(random.random() < 0.2),
            expiry_starts_ms=_Always(begins),
        )
        ends_ms = random.choice((None, None, now_ms + random.choice(NEAR)))
        yield sweep, group_id, near, partition, replace(committed, expire_ms=ends_ms)


class _Always:
    """The same answer whatever is asked."""

    def __init__(self, answer: Any) -> None:
        self._answer = answer

    def __call__(self, *args: object) -> Any:
        return self._answer
