"""A whole `GroupMachine` on a real `Shard`, over a log in memory that commits at once."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from barnabas.broker.core.cluster.image import ClusterImage
from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.core.coordination.groups.consumer.member import Client
from barnabas.broker.core.coordination.groups.consumer.pattern_search import MaySee
from barnabas.broker.core.coordination.groups.group import Group
from barnabas.broker.core.coordination.groups.group_machine import GroupMachine
from barnabas.broker.core.coordination.groups.offsets.group_offsets import Wanted
from barnabas.broker.core.coordination.groups.surroundings import GroupSurroundings
from barnabas.broker.core.coordination.machine import Operation, ShardTimers
from barnabas.broker.core.coordination.shard import Shard
from barnabas.broker.core.coordination.shard_writer import ShardRules
from barnabas.broker.core.coordination.timeline import Timeline, TimelineDict
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.consumer_group_heartbeat_request import (
    ConsumerGroupHeartbeatRequest,
)
from barnabas.protocol.messages.consumer_group_heartbeat_response import (
    ConsumerGroupHeartbeatResponse,
)

from .group_shards import NOBODY
from .logs import ManualClock, env_of
from .shard_parts import ManualLoop, MemoryLog
from .shards import AnswerT, Kept

CLIENT = Client("c", "/127.0.0.1")


REFUSED_MAX = 500
"""Appends that a log refuses before it takes one again."""


class PromptLog(MemoryLog):
    """A log without followers: what it takes is committed at once.

    Its `refusal` has an end, since who tries again without a pause would never give a turn back.
    """

    def __init__(self) -> None:
        super().__init__()
        self.refused = 0

    def append(self, batch: bytes) -> int:
        if self.refusal is not None:
            self.refused += 1
            if self.refused >= REFUSED_MAX:
                self.refusal = None
        base = super().append(batch)
        self.high_watermark = self.end_offset
        return base


class GroupParts:
    """A shard of groups, loaded from an empty log, and what it stands on."""

    def __init__(self, image: Callable[[], ClusterImage] = ClusterImage, **settings: Any) -> None:
        self.clock = ManualClock()
        self.loop = ManualLoop(self.clock)
        self.log = PromptLog()
        self.reports: list[str] = []
        config = dataclasses.replace(BrokerConfig(), **settings)

        def make(timeline: Timeline, timers: ShardTimers) -> GroupMachine:
            around = GroupSurroundings(
                env=env_of(clock=self.clock),
                config=config,
                image=image,
                timeline=timeline,
                timers=timers,
                groups=TimelineDict[str, Group](timeline),
                report=self._report,
            )
            return GroupMachine(around)

        self.shard: Shard[GroupMachine] = Shard(
            make,
            self.log,
            self.loop,
            self.clock,
            ShardRules(),
            report=self._report,
            on_lost=lambda: None,
        )
        self.shard.begin_at(0)
        self.shard.activate()
        self.machine = self.shard.machine

    def _report(self, event: str, fields: dict[str, object]) -> None:
        self.reports.append(event)

    def write(self, operation: Operation[AnswerT]) -> Kept[AnswerT]:
        """Run an operation, and whatever is due at once."""
        reply: Kept[AnswerT] = Kept()
        self.shard.write(operation, reply)
        self.loop.run()
        return reply

    def commit(self, offset: int, group: str = "g", topic_id: bytes = bytes(16)) -> None:
        """Commit an offset of partition 0 of topic `t`, as nobody's member."""
        wanted = [Wanted(("t", 0), offset, topic_id=topic_id)]
        reply = self.write(lambda: self.machine.offsets.commit(group, NOBODY, wanted))
        assert reply.answer == [ErrorCode.NONE]

    def groups_with_offsets(self) -> list[str]:
        """Groups that have an offset, in order."""
        return sorted(group for group, _ in self.machine.offsets.all_partitions())

    def heartbeat(
        self, request: ConsumerGroupHeartbeatRequest, may_see: MaySee
    ) -> ConsumerGroupHeartbeatResponse:
        """The answer to a heartbeat of a consumer that may see these topics."""
        reply = self.write(lambda: self.machine.consumer.heartbeat(request, CLIENT, may_see))
        assert reply.answer is not None, reply.error
        return reply.answer
