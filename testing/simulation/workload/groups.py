"""The groups of a run: one of each protocol, which read one topic, and who writes to it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from random import Random

from barnabas.broker.core.cluster.topic_image import GROUPS_TOPIC
from barnabas.client import Admin, NewTopic, Producer, TopicPartition
from barnabas.client.errors import ClientError
from barnabas.testing.simulation.settings import settings_of_topic

from .clients import DELIVERY_TIMEOUT_MS, Office, started
from .group_history import Found, GroupHistory
from .group_member import TOPIC, Member, Style
from .retrying import until_done
from .simple_group import SimpleGroup, look

PARTITIONS = 3
SENDS_PER_S = 6.0
PATIENCE = (0.7, 2.0)
LOOK_PAUSE_S = 0.25
"""Mean time between two things that an operator does."""

PROTOCOLS = ("classic", "consumer")
ASSIGNORS = (
    ("range",),
    ("sticky",),
    ("roundrobin",),
    ("cooperative-sticky",),
    ("cooperative-sticky",),
)
"""Of classic groups; the others are told what to read by their coordinator."""

WHERE = tuple(TopicPartition(TOPIC, number) for number in range(PARTITIONS))


class Groups:
    """Members by name, and what they read."""

    def __init__(
        self, writing: Office, reading: Office, coordinator_id: Callable[[], int], seed: int
    ) -> None:
        """Members go on when `writing` is over, until `reading` is. `coordinator_id`: who it is
        now, as the newest metadata says."""
        self._writing = writing
        self._seed = seed
        self._random = Random(f"groups {seed}")
        self.history = GroupHistory(writing.bus.note, coordinator_id)
        self.ends: dict[TopicPartition, int] = {}
        """Behind the last record that was acknowledged."""
        self.members: dict[str, Member] = {}
        for protocol in PROTOCOLS if writing.profile.group_members else ():
            self._draw(protocol, reading)

    def _draw(self, protocol: str, reading: Office) -> None:
        random = self._random
        assignors = random.choice(ASSIGNORS)
        patience = Random(f"patience {protocol} {self._seed}").choice(PATIENCE)
        for number in range(self._writing.profile.group_members):
            name = f"{protocol}-{number}"
            style = Style(
                group=f"group-{protocol}",
                protocol=protocol,
                assignors=assignors,
                instance=name if random.random() < 0.3 else None,
                patience=patience,
                commits_by_hand=random.random() < 0.5,
                lags=random.random() < 0.5,
            )
            own = Random(random.getrandbits(64))
            self.members[name] = Member(reading, self.history, name, style, own)

    @property
    def ids(self) -> list[str]:
        """Of the groups."""
        return list(dict.fromkeys(member.style.group for member in self.members.values()))

    def settle(self) -> None:
        """From now on nobody leaves."""
        for member in self.members.values():
            member.rests = True

    async def create_topics(self) -> None:
        """Make the topic that is read, whose records stay, and the one of the coordinator, small
        and often cleaned; tries until they are there."""
        office = self._writing
        profile = office.profile
        kept = settings_of_topic(profile) | {"retention.ms": "-1", "retention.bytes": "-1"}
        cleaned = settings_of_topic(profile) | {
            "cleanup.policy": "compact",
            "min.cleanable.dirty.ratio": self._random.choice(("0.01", "0.5")),
        }
        admin = await started(office, lambda: Admin(**office.options("setup")))
        for name, partitions, settings in (
            (TOPIC, PARTITIONS, kept),
            (GROUPS_TOPIC, 1, cleaned),
        ):
            new = NewTopic(name, partitions, profile.replication_factor, topic_configs=settings)
            await until_done(partial(admin.create_topics, [new]), office.history.note_error)
        await admin.stop()

    async def write(self) -> None:
        """Send records one after the other, until the writers shall end."""
        office = self._writing
        random = Random(self._random.getrandbits(64))
        name = "group-producer"
        producer = await started(
            office,
            lambda: Producer(
                acks="all",
                delivery_timeout_ms=DELIVERY_TIMEOUT_MS,
                max_block_ms=DELIVERY_TIMEOUT_MS,
                **office.options(name),
            ),
        )
        if producer is None:
            return
        while not office.is_over:
            await asyncio.sleep(random.expovariate(SENDS_PER_S))
            where = random.choice(WHERE)
            try:
                sent = await producer.send_and_wait(TOPIC, b"record", partition=where.partition)
            except ClientError as error:
                office.history.note_error(error)
            else:
                self.ends[where] = max(self.ends.get(where, 0), sent.offset + 1)
        await producer.stop()

    async def watch_offsets(self) -> None:
        """An operator looks at what is committed, now and then, and keeps an offset of its own."""
        office = self._writing
        random = Random(self._random.getrandbits(64))
        admin = await started(office, lambda: Admin(**office.options("group-admin")))
        if admin is None:
            return
        simple = SimpleGroup(office, self.history, WHERE[0], random)
        while not office.is_over:
            await asyncio.sleep(random.expovariate(1.0 / LOOK_PAUSE_S))
            try:
                if random.random() < 0.5:
                    await simple.step(admin)
                else:
                    await self._look(admin, random.choice(self.ids))
            except ClientError as error:
                office.history.note_error(error)
        await admin.stop()

    async def look_at_offsets(self) -> None:
        """What is committed in the end."""
        async with Admin(**self._writing.options("group-admin")) as admin:
            for group in self.ids:
                await self._look(admin, group)

    async def _look(self, admin: Admin, group: str) -> None:
        asked_s = self._writing.loop.now
        offsets, is_current = await look(self.history, admin, group)
        found = Found(group, WHERE, offsets, asked_s, is_current)
        self.history.tell(self.history.found, found)

    # --- what must come about -----------------------------------------------------------------

    def unsettled(self) -> list[str]:
        """Groups whose living members do not share all partitions among them, each to one."""
        found = []
        for group in self.ids:
            members = [one for one in self.members.values() if one.style.group == group]
            owned = [member.owned for member in members]
            given = sorted(where for mine in owned if mine is not None for where in mine)
            if None in owned or given != sorted(WHERE):
                shown = {one.name: one.owned and sorted(one.owned) for one in members}
                found.append(f"{group}: {shown}")
        return found
