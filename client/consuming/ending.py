"""The end of a membership: the last commit, the last callback, leaving; in a bounded time."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import NamedTuple

from ..config import ConsumerConfig
from ..groups.committed import CommittedOffsets
from ..groups.membership import Membership
from ..groups.values import CloseOption, OffsetAndMetadata
from ..groups.waiting import end, step
from ..structs import TopicPartition
from .listening import REVOKED, call


class Ending(NamedTuple):
    """A membership that is over, and what is left to do for it."""

    config: ConsumerConfig
    membership: Membership | None
    task: asyncio.Task[None] | None
    partitions: frozenset[TopicPartition]
    news: Mapping[TopicPartition, OffsetAndMetadata]
    """Offsets to commit."""

    async def carry_out(
        self, offsets: CommittedOffsets, listener: object, option: CloseOption
    ) -> None:
        """Commit, call back, leave; each in its part of `close_timeout_ms`, whatever fails."""
        part_s = self.config.close_timeout_ms / 4000
        async with step("ending the membership", part_s):
            await end(self.task)
        if self.news:
            async with step("the last commit", part_s):
                await offsets.commit(self.membership, self.news, part_s, lambda _: True)
        if self.membership is None:
            return
        if self.partitions:
            async with step(REVOKED, part_s):
                await call(listener, REVOKED, self.partitions)
        async with step("leaving the group", part_s):
            await self.membership.leave(option, "the consumer is closed")
