"""JoinGroup and SyncGroup of one generation, each a request that waits for the other members."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from typing import Any, TypeVar  # Any: what a coroutine may yield to its loop

from barnabas.protocol.errors import DecodeError
from barnabas.protocol.messages.join_group_request import JoinGroupRequest
from barnabas.protocol.messages.join_group_response import JoinGroupResponse
from barnabas.protocol.messages.sync_group_response import SyncGroupResponse

from ..config import ConsumerConfig
from ..errors import InconsistentGroupProtocolError
from ..structs import TopicPartition
from ..wire.cluster import Cluster
from ..wire.pool import Lane
from .assignors.members import Assignment, Member, Partitions
from .classic_member import ClassicMember
from .coordinator import Coordinator
from .reactions import Reaction
from .second_round import SecondRound
from .topic_watch import TopicWatch
from .topics import known_partitions
from .waiting import patiently

T = TypeVar("T")
JOIN_GRACE_S = 5.0
"""A JoinGroup waits for other members: its time limit exceeds theirs by this (CLI-06)."""
INLINE_MAX = 200_000
"""Members times partitions up to which an assignment is computed on the event loop."""


class JoinExchange:
    """What a member and its coordinator say to each other until there is an assignment."""

    def __init__(
        self,
        cluster: Cluster,
        config: ConsumerConfig,
        coordinator: Coordinator,
        member: ClassicMember,
        watch: TopicWatch,
        second_round: SecondRound,
    ) -> None:
        self._cluster = cluster
        self._coordinator = coordinator
        self._member = member
        self._watch = watch
        self._second_round = second_round
        self._interval_s = config.heartbeat_interval_ms / 1000
        self._limit_s = max(
            cluster.request_timeout_s, config.max_poll_interval_ms / 1000 + JOIN_GRACE_S
        )

    async def join(self, request: JoinGroupRequest) -> tuple[Reaction, int]:
        """Ask to be in the next generation; what follows, and the code."""
        self._second_round.ended()
        response = await self._slowly(
            self._coordinator.call(
                request, JoinGroupResponse, lane=Lane.GROUP, timeout_s=self._limit_s
            )
        )
        return self._member.on_join(response), response.error_code

    async def sync(self) -> tuple[Reaction, int, frozenset[TopicPartition]]:
        """Say who gets what, if this member has to; what follows, the code, and its own part.

        Raises:
            InconsistentGroupProtocolError: the assignor, or what it wrote, is none that is known.
        """
        response = await self._slowly(
            self._coordinator.call(
                self._member.sync_request(await self._assignment()),
                SyncGroupResponse,
                lane=Lane.GROUP,
                timeout_s=self._limit_s,
            )
        )
        try:
            reaction, assigned = self._member.on_sync(response)
        except DecodeError as error:
            raise InconsistentGroupProtocolError(f"the leader's assignment: {error}") from error
        return reaction, response.error_code, assigned

    async def _slowly(self, call: Coroutine[Any, Any, T]) -> T:
        """An answer that may take minutes. Meanwhile metadata says whether the broker is still in
        the cluster; the connection to one that is not is closed."""
        return await patiently(call, self._interval_s, self._cluster.refresh_soon)

    async def _assignment(self) -> Assignment:
        """Everybody's part, if this member has to say it."""
        members = self._member.members()
        topics = {topic for each in members for topic in each.topics}
        partitions = await known_partitions(self._cluster, topics)
        self._watch.assigned(topics)
        must_assign = self._member.must_assign
        assignment = await self._assigned(members, partitions) if must_assign else {}
        if members and self._member.is_cooperative:
            # Without having assigned nobody knows what is kept back.
            given = {where for mine in assignment.values() for where in mine}
            self._second_round.begun(is_last=given.issuperset(partitions.of(topics)))
        return assignment

    async def _assigned(self, members: Sequence[Member], partitions: Partitions) -> Assignment:
        size = len(members) * sum(partitions.counts.values())
        try:
            if size <= INLINE_MAX:
                return self._member.assign(members, partitions)
            return await asyncio.to_thread(self._member.assign, members, partitions)
        except KeyError as error:
            raise InconsistentGroupProtocolError(
                f"the group chose the assignor {error}, which this consumer has not"
            ) from error
