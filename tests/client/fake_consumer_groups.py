"""A coordinator of the consumer protocol for fake brokers: a test says who gets what."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.message import Message
from barnabas.protocol.messages import consumer_group_heartbeat_response as answers

from .fake_cluster import FakeCluster, FakeNode

HEARTBEAT_KEY = 68


class FakeConsumerGroup:
    """One group; `target` is what each member should have: (topic, number)."""

    def __init__(self, cluster: FakeCluster) -> None:
        self.epochs: dict[str, int] = {}
        self.target: dict[str, set[tuple[str, int]]] = {}
        self.default: set[tuple[str, int]] = set()
        """What a member gets that joins."""
        self.errors: deque[int] = deque()
        self.owned: dict[str, set[tuple[str, int]]] = {}
        """What each member last said that it has."""
        self.came: list[Any] = []
        self.interval_ms = 10
        self.is_silent = False
        self._told: dict[str, set[tuple[str, int]]] = {}
        self._cluster = cluster
        cluster.served[HEARTBEAT_KEY] = (0, 1)
        cluster.more["ConsumerGroupHeartbeat"] = self._heartbeat

    def assign(self, member_id: str, *partitions: tuple[str, int]) -> None:
        """A new epoch, in which the member has these."""
        self.target[member_id] = set(partitions)
        self.epochs[member_id] += 1

    @property
    def only(self) -> str:
        """The id of the only member."""
        (member_id,) = self.epochs
        return member_id

    async def _heartbeat(self, node: FakeNode, request: Any, version: int) -> Message:
        del node, version
        self.came.append(request)
        if self.is_silent:
            await asyncio.Event().wait()
        if self.errors:
            return answers.ConsumerGroupHeartbeatResponse(
                error_code=self.errors.popleft(), error_message="scripted"
            )
        member_id, epoch = request.member_id, request.member_epoch
        if epoch < 0:
            self.epochs.pop(member_id, None)
            return answers.ConsumerGroupHeartbeatResponse(member_epoch=epoch)
        if epoch == 0:
            self.epochs.setdefault(member_id, 1)
            self.target.setdefault(member_id, set(self.default))
            self._told.pop(member_id, None)
        elif member_id not in self.epochs:
            code = int(ErrorCode.UNKNOWN_MEMBER_ID)
            return answers.ConsumerGroupHeartbeatResponse(error_code=code)
        if request.topic_partitions is not None:
            names = {topic.topic_id: name for name, topic in self._cluster.topics.items()}
            self.owned[member_id] = {
                (names[each.topic_id], n)
                for each in request.topic_partitions
                for n in each.partitions
            }
        return answers.ConsumerGroupHeartbeatResponse(
            member_id=member_id,
            member_epoch=self.epochs[member_id],
            heartbeat_interval_ms=self.interval_ms,
            assignment=self._news(member_id),
        )

    def _news(self, member_id: str) -> answers.Assignment | None:
        target = self.target[member_id]
        if self._told.get(member_id) == target:
            return None
        self._told[member_id] = set(target)
        grouped: dict[str, list[int]] = {}
        for topic, number in sorted(target):
            grouped.setdefault(topic, []).append(number)
        return answers.Assignment(
            topic_partitions=[
                answers.TopicPartitions(
                    topic_id=self._cluster.topics[topic].topic_id, partitions=numbers
                )
                for topic, numbers in grouped.items()
            ]
        )
