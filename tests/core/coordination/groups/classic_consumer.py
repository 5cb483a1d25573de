"""A consumer that plays by the rules of the classic protocol, in groups of either kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kit.shards import Kept

from barnabas.broker.core.coordination.groups.consumer.partitions import TopicPartition
from barnabas.broker.core.coordination.groups.embedded_protocol import read_assignment
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages import consumer_protocol_assignment as assignments
from barnabas.protocol.messages import consumer_protocol_subscription as subscriptions
from barnabas.protocol.messages.join_group_request import (
    JoinGroupRequest,
    JoinGroupRequestProtocol,
)
from barnabas.protocol.messages.join_group_response import JoinGroupResponse
from barnabas.protocol.messages.sync_group_request import (
    SyncGroupRequest,
    SyncGroupRequestAssignment,
)
from barnabas.protocol.messages.sync_group_response import SyncGroupResponse

from .mixed import GROUP, REBALANCE_MS, SESSION_MS, Mixed

VERSION = 3


class ClassicConsumer:
    """A consumer of the classic protocol; `step` lets it do what is next."""

    def __init__(
        self,
        scene: Mixed,
        *topics: str,
        instance_id: str | None = None,
        is_cooperative: bool = True,
        protocols: tuple[str, ...] = ("own",),
    ) -> None:
        self.scene = scene
        self.topics = list(topics)
        self.instance_id = instance_id
        self.is_cooperative = is_cooperative
        """Else it gives everything up before it joins again."""
        self.protocols = protocols
        self.member_id = ""
        self.generation = -1
        self.owned: set[TopicPartition] = set()
        self.codes: list[int] = []
        """What its requests were answered with."""
        self._must_join = True
        self._joining: Kept[JoinGroupResponse] | None = None
        self._syncing: Kept[SyncGroupResponse] | None = None

    @property
    def numbers(self) -> list[int]:
        """Numbers of the partitions that it owns."""
        return sorted(partition for _, partition in self.owned)

    @property
    def is_waiting(self) -> bool:
        """Whether a request of it has no answer."""
        return self._joining is not None or self._syncing is not None

    def step(self) -> None:
        """Look at the answer that it waits for; else send what is next."""
        if self._joining is not None:
            if self._joining.is_given:
                self._on_joined(self._joining)
        elif self._syncing is not None:
            if self._syncing.is_given:
                self._on_synced(self._syncing)
        elif self._must_join:
            self._join()
        else:
            self._obey(
                self.scene.heartbeat(self.member_id, self.generation, self.instance_id), "beat"
            )

    def settle(self, rounds: int = 6) -> None:
        """Several steps."""
        for _ in range(rounds):
            self.step()

    def metadata(self) -> bytes:
        """Its subscription, with what it has not given up."""
        message = subscriptions.ConsumerProtocolSubscription(
            topics=self.topics,
            owned_partitions=[
                subscriptions.TopicPartition(topic=name, partitions=numbers)
                for name, numbers in self._by_name(self.owned).items()
            ],
            generation_id=self.generation,
        )
        return VERSION.to_bytes(2, "big") + message.encode(VERSION)

    def request(self) -> JoinGroupRequest:
        """Its next JoinGroup."""
        return JoinGroupRequest(
            group_id=GROUP,
            member_id=self.member_id,
            group_instance_id=self.instance_id,
            protocol_type="consumer",
            protocols=[
                JoinGroupRequestProtocol(name=one, metadata=self.metadata())
                for one in self.protocols
            ],
            session_timeout_ms=SESSION_MS,
            rebalance_timeout_ms=REBALANCE_MS,
        )

    def leave(self) -> None:
        assert self.scene.leave((self.member_id, self.instance_id)) == [0]

    def lose_everything(self) -> None:
        """It is a member no more, as far as it knows."""
        self.member_id, self.generation, self.owned, self._must_join = "", -1, set(), True
        self._joining = self._syncing = None

    def give_up_waiting(self) -> None:
        """Its connection is gone, and with it the answer that it waits for; it begins anew."""
        if self.is_waiting:
            self._joining = self._syncing = None
            self._must_join = True

    def _by_name(self, partitions: set[TopicPartition]) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        topics = self.scene.topics.image.topics_by_id
        for topic_id, number in sorted(partitions):
            if topic_id in topics:
                found.setdefault(topics[topic_id].name, []).append(number)
        return found

    def _with_ids(self, named: Mapping[str, tuple[int, ...]]) -> set[TopicPartition]:
        topics = self.scene.topics.image.topics_by_name
        return {(topics[n].topic_id, p) for n, numbers in named.items() for p in numbers}

    def _join(self) -> None:
        self._must_join = False
        if not self.is_cooperative:
            self.owned = set()
        self._joining = self.scene.join(self.request())

    def _on_joined(self, reply: Kept[JoinGroupResponse]) -> None:
        self._joining = None
        answer = reply.answer
        if answer is None or answer.error_code:
            if answer is not None and answer.error_code == ErrorCode.MEMBER_ID_REQUIRED:
                self.member_id = answer.member_id
            self._must_join = True
            self._obey(_code(reply), "join")
            return
        self.member_id, self.generation = answer.member_id, answer.generation_id
        plan = self._plan(answer) if answer.leader == self.member_id else {}
        self._syncing = self.scene.sync(
            SyncGroupRequest(
                group_id=GROUP,
                member_id=self.member_id,
                generation_id=self.generation,
                group_instance_id=self.instance_id,
                protocol_type="consumer",
                protocol_name=answer.protocol_name,
                assignments=[
                    SyncGroupRequestAssignment(member_id=one, assignment=data)
                    for one, data in plan.items()
                ],
            )
        )

    def _plan(self, answer: JoinGroupResponse) -> dict[str, bytes]:
        """In turns; what somebody else still owns is left out until it was given up."""
        ids = sorted(one.member_id for one in answer.members)
        owners: dict[tuple[str, int], str] = {}
        for one in answer.members:
            read, _ = subscriptions.ConsumerProtocolSubscription.decode_at(one.metadata, 2, VERSION)
            for had in read.owned_partitions:
                owners.update(((had.topic, n), one.member_id) for n in had.partitions)
        plan: dict[str, dict[str, list[int]]] = {one: {} for one in ids}
        for name in self.topics:
            topic = self.scene.topics.image.topics_by_name.get(name)
            for number in topic.partitions if topic is not None else ():
                taker = ids[number % len(ids)]
                if owners.get((name, number), taker) == taker:
                    plan[taker].setdefault(name, []).append(number)
        return {one: assigned(named) for one, named in plan.items()}

    def _on_synced(self, reply: Kept[SyncGroupResponse]) -> None:
        self._syncing = None
        answer = reply.answer
        if answer is None or answer.error_code:
            self._must_join = True
            self._obey(_code(reply), "sync")
            return
        self.codes.append(0)
        now = self._with_ids(read_assignment(answer.assignment).partitions)
        if self.owned - now:
            self._must_join = True  # what it gave up is for others
        self.owned = now

    def _obey(self, code: int, what: str) -> None:
        del what
        self.codes.append(code)
        if code == ErrorCode.REBALANCE_IN_PROGRESS:
            self._must_join = True
        elif code in (ErrorCode.UNKNOWN_MEMBER_ID, ErrorCode.ILLEGAL_GENERATION):
            member_id = self.member_id if code == ErrorCode.ILLEGAL_GENERATION else ""
            self.lose_everything()
            self.member_id = member_id


def assigned(named: Mapping[str, list[int]], user_data: bytes | None = None) -> bytes:
    """What a leader gives to a member."""
    message = assignments.ConsumerProtocolAssignment(
        assigned_partitions=[
            assignments.TopicPartition(topic=name, partitions=numbers)
            for name, numbers in named.items()
        ],
        user_data=user_data,
    )
    return VERSION.to_bytes(2, "big") + message.encode(VERSION)


def _code(reply: Kept[Any]) -> int:
    if reply.error is not None:
        return int(reply.error.code)
    assert reply.answer is not None
    return int(reply.answer.error_code)
