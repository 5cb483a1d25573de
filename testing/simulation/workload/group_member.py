"""One member of a group: it reads, deals with records, commits; it leaves and comes back.

It commits behind what it has dealt with and nothing else, so that of its group no record may be
missed (I-32), and what is committed never goes back (I-26).
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from random import Random
from typing import Any, NamedTuple

from barnabas.client import (
    CloseOption,
    Consumer,
    ConsumerRebalanceListener,
    GroupState,
    LogTruncation,
    OffsetAndMetadata,
    PositionReset,
    TopicPartition,
)
from barnabas.client.errors import ClientError, CommitFailedError
from barnabas.testing.simulation.settings import session_ms

from .clients import GETMANY_MS, Office
from .group_history import GroupHistory, Handed, Watched
from .history import Moved
from .retrying import RETRY_PAUSE_S

TOPIC = "grouped"
LIFE_S = 2.5
"""Mean time after which a member leaves, while members come and go."""

AWAY_S = 0.4
"""Mean time until it is back."""

COMMITS_OF_10 = 4
"""So many times of ten a member that commits by hand does so after a call for records."""


class Style(NamedTuple):
    """What kind of member it is."""

    group: str
    protocol: str
    """`classic` or `consumer`."""
    assignors: tuple[str, ...]
    instance: str | None
    """A static member's (KIP-345)."""
    patience: float
    """Time for a rebalance, in sessions: with less than one a group goes on before the sessions of
    those who died have ended."""
    commits_by_hand: bool
    lags: bool
    """Whether it now and then deals with its records for so long that the group does without it."""


class Member(ConsumerRebalanceListener):
    """A place in a group, which one consumer after the other takes."""

    def __init__(
        self, office: Office, history: GroupHistory, name: str, style: Style, random: Random
    ) -> None:
        self._office = office
        self._history = history
        self.name = name
        self.style = style
        self._random = random
        self.rests = False
        """Set when members no longer come and go."""
        self.consumer: Consumer | None = None
        # With epochs: else a leader of long ago is believed that they are out of range (320-01).
        self._dealt_with: dict[TopicPartition, OffsetAndMetadata] = {}
        self._saved: dict[TopicPartition, OffsetAndMetadata] = {}
        """What it has committed by hand."""

    @property
    def owned(self) -> frozenset[TopicPartition] | None:
        """What it has, if it is settled in its group; else None."""
        consumer = self.consumer
        if consumer is None or consumer.state.state is not GroupState.STABLE:
            return None
        return frozenset(consumer.assignment())

    def died(self) -> None:
        """Nothing of its consumer runs any more."""
        self.consumer = None

    async def run(self) -> None:
        """Until the readers shall end."""
        while not self._office.is_over:
            try:
                await self._live()
            except ClientError as error:
                self._history.count(type(error).__name__)
                await asyncio.sleep(RETRY_PAUSE_S)
            if not (self.rests or self._office.is_over):
                await asyncio.sleep(self._random.expovariate(1.0 / AWAY_S))

    async def _live(self) -> None:
        """One life, from start to stop."""
        loop = self._office.loop
        consumer = Consumer(**self._options())
        self._dealt_with.clear()
        self._saved.clear()
        try:
            await consumer.start()
            watched = Watched(self._history, loop, self.style.group, TOPIC, consumer)
            consumer.subscribe(TOPIC, listener=self)
            watched.subscribed(consumer)
            self._office.track(self.name, consumer)
            self.consumer = consumer
            until_s = loop.now + self._random.expovariate(1.0 / LIFE_S)
            while not self._office.is_over and (self.rests or loop.now < until_s):
                await self._read(consumer)
        finally:
            self.consumer = None
            await consumer.stop(self._farewell())

    def _farewell(self) -> CloseOption:
        return self._random.choice(
            (CloseOption.DEFAULT, CloseOption.DEFAULT, CloseOption.REMAIN_IN_GROUP)
        )

    async def _read(self, consumer: Consumer) -> None:
        try:
            found = await consumer.getmany(timeout_ms=GETMANY_MS // 2)
            self._hand_out(found)
            await self._deal_with(found)
            if self.style.commits_by_hand and self._random.randrange(10) < COMMITS_OF_10:
                await self._commit(consumer, self._dealt_with)
        except ClientError as error:
            if isinstance(error, CommitFailedError):
                # It may have dealt with records of an assignment that ended meanwhile: somebody
                # reads them again, and to commit behind them once more would take back what that
                # one has committed.
                self._forget(tuple(self._dealt_with))
            self._history.count(type(error).__name__)
            self._office.bus.note(f"{self.name} told {error!r}")
            if consumer.state.state is GroupState.DEAD:
                raise
            await asyncio.sleep(RETRY_PAUSE_S / 4)

    def _hand_out(self, found: Mapping[TopicPartition, list[Any]]) -> None:
        for where, records in found.items():
            first, end = records[0].offset, records[-1].offset + 1
            handed = Handed(self.style.group, self.name, where, first, end)
            self._history.tell(self._history.handed, handed)

    async def _deal_with(self, found: Mapping[TopicPartition, list[Any]]) -> None:
        if self.style.lags and not self.rests and self._random.random() < 0.03:
            limit_s = session_ms(self._office.profile) / 1000
            await asyncio.sleep(self._random.uniform(0.5, 3.0) * limit_s)
        elif self._random.random() < 0.2:
            await asyncio.sleep(self._random.expovariate(1.0 / 0.05))
        for where, records in found.items():
            last = records[-1]
            self._dealt_with[where] = OffsetAndMetadata(last.offset + 1, "", last.leader_epoch)

    async def _commit(
        self, consumer: Consumer, places: Mapping[TopicPartition, OffsetAndMetadata]
    ) -> None:
        """At an odd moment: of all that it has, or of some of it."""
        mine = {where: end for where, end in places.items() if where in consumer.assignment()}
        if self._random.random() < 0.3:
            mine = {where: end for where, end in mine.items() if self._random.random() < 0.5}
        news = {where: end for where, end in mine.items() if self._saved.get(where) != end}
        if news:
            await consumer.commit(news)
            self._saved.update(news)

    # --- what the group says ------------------------------------------------------------------

    async def on_partitions_assigned(self, assigned: set[TopicPartition]) -> None:
        """It begins where the group has committed."""
        self._forget(assigned)

    async def on_partitions_revoked(self, revoked: set[TopicPartition]) -> None:
        """What it has dealt with is committed first."""
        consumer = self.consumer
        if self.style.commits_by_hand and consumer is not None:
            places = {one: self._dealt_with[one] for one in revoked if one in self._dealt_with}
            try:
                if places:
                    await consumer.commit(places, timeout_ms=1000)
            except ClientError as error:
                self._history.count(type(error).__name__)
        self._forget(revoked)

    async def on_partitions_lost(self, lost: set[TopicPartition]) -> None:
        """Somebody else goes on where the group has committed."""
        self._forget(lost)

    def _forget(self, partitions: Iterable[TopicPartition]) -> None:
        for one in partitions:
            self._dealt_with.pop(one, None)
            self._saved.pop(one, None)

    def _reset(self, reset: PositionReset) -> None:
        """A position moved by itself: by a truncation never, for what is committed stays (I-20)."""
        where = TopicPartition(*reset.topic_partition)
        is_truncation = isinstance(reset, LogTruncation)
        moved = Moved(
            self.name, where, reset.from_offset, reset.to_offset, reset.reason, is_truncation
        )
        self._office.history.moved(moved)

    def _options(self) -> dict[str, Any]:
        style, limit_ms = self.style, session_ms(self._office.profile)
        options: dict[str, Any] = {
            "group_id": style.group,
            "group_protocol": style.protocol,
            "auto_offset_reset": "earliest",
            "on_reset": self._reset,
            "enable_auto_commit": not style.commits_by_hand,
            "auto_commit_interval_ms": limit_ms // 2,
            "session_timeout_ms": limit_ms,
            "heartbeat_interval_ms": limit_ms // 3,
            "max_poll_interval_ms": int(style.patience * limit_ms),
            "close_timeout_ms": 1000,
            "fetch_max_wait_ms": GETMANY_MS,
            **self._office.options(self.name),
        }
        if style.instance is not None:
            options["group_instance_id"] = style.instance
        if style.protocol == "classic":
            options["partition_assignment_strategy"] = style.assignors
        return options
