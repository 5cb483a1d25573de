"""A group without members, whose offset an operator sets, removes and looks at (GRP-26, OFF-20)."""

from __future__ import annotations

from random import Random

from barnabas.broker.core.cluster.topic_image import GROUPS_TOPIC
from barnabas.client import Admin, TopicPartition
from barnabas.client.errors import ClientError
from barnabas.client.groups.committed import CommittedOffsets
from barnabas.client.groups.coordinator import Coordinator

from .clients import Office
from .group_history import GroupHistory, node_of

GROUP = "group-simple"
SHARD = TopicPartition(GROUPS_TOPIC, 0)
"""Simulated clusters have one partition of it."""
LOOK_S = 5.0
NOTHING = -1
"""In place of an offset: there is none."""


async def look(
    history: GroupHistory, admin: Admin, group: str
) -> tuple[dict[TopicPartition, int], bool]:
    """What a group has committed, and whether its coordinator said so. Raises ClientError."""
    before = history.coordinator_id()
    coordinator = Coordinator(admin._cluster, group)
    committed = CommittedOffsets(admin._cluster, coordinator, require_stable=False)
    found = await committed.fetch(None, None, LOOK_S)
    is_current = before == history.coordinator_id() == node_of(coordinator)
    return {where: one.offset for where, one in found.items()}, is_current


class SimpleGroup:
    """One operator's group; each step is one request, and its answer is waited for."""

    def __init__(
        self, office: Office, history: GroupHistory, where: TopicPartition, random: Random
    ) -> None:
        self._office = office
        self._history = history
        self._where = where
        self._random = random
        self._last = NOTHING
        self._unsure: set[int] = set()
        """What may have been written at any time: its request was sent more than once."""
        self._number = 0

    async def step(self, admin: Admin) -> None:
        """Set it, remove it, or see whether it is as it was left."""
        chance = self._random.random()
        if chance < 0.4:
            await self._look(admin)
            return
        wanted = NOTHING
        if chance < 0.7 or self._last == NOTHING:
            self._number += 1
            wanted = self._number
        loop, begun_s = self._office.loop, self._office.loop.now
        try:
            if wanted == NOTHING:
                await admin.delete_group_offsets(GROUP, [self._where])
            else:
                await admin.alter_group_offsets(GROUP, {self._where: wanted})
        except ClientError:
            self._unsure |= {wanted, self._last}
            raise
        if loop.now - begun_s >= self._office.profile.request_timeout_ms / 1000:
            self._unsure |= {wanted, self._last}
        self._last = wanted

    async def _look(self, admin: Admin) -> None:
        offsets, is_current = await look(self._history, admin, GROUP)
        found = offsets.get(self._where, NOTHING)
        if is_current and found != self._last and found not in self._unsure:
            text = f"{GROUP}: the offset is {found}, it was left at {self._last}"
            self._office.history.wrong("I-26", text, SHARD)
