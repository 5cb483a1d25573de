"""One shard whose groups have members of both protocols, and consumers that play by the rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from kit.logs import ManualClock, env_of
from kit.shards import Kept, OneShard

from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.core.coordination.groups.classic.classic_group import ClassicGroup
from barnabas.broker.core.coordination.groups.classic.member import Client
from barnabas.broker.core.coordination.groups.consumer.consumer_group import ConsumerGroup
from barnabas.broker.core.coordination.groups.consumer.heartbeat_checks import check_heartbeat
from barnabas.broker.core.coordination.groups.group import Group
from barnabas.broker.core.coordination.groups.group_machine import GroupMachine
from barnabas.broker.core.coordination.groups.surroundings import GroupSurroundings
from barnabas.broker.core.coordination.machine import Record
from barnabas.broker.core.coordination.timeline import Timeline, TimelineDict
from barnabas.protocol.coordinator_records import (
    CONSUMER_GROUP_VERSION,
    UnknownRecordType,
    decode_group_key,
    decode_group_value,
    encode_key,
    encode_value,
)
from barnabas.protocol.errors import KafkaError
from barnabas.protocol.messages.consumer_group_heartbeat_request import (
    ConsumerGroupHeartbeatRequest,
)
from barnabas.protocol.messages.consumer_group_heartbeat_response import (
    ConsumerGroupHeartbeatResponse,
)
from barnabas.protocol.messages.group_metadata_key import GroupMetadataKey
from barnabas.protocol.messages.heartbeat_request import HeartbeatRequest
from barnabas.protocol.messages.join_group_request import (
    JoinGroupRequest,
)
from barnabas.protocol.messages.join_group_response import JoinGroupResponse
from barnabas.protocol.messages.leave_group_request import LeaveGroupRequest, MemberIdentity
from barnabas.protocol.messages.sync_group_request import (
    SyncGroupRequest,
)
from barnabas.protocol.messages.sync_group_response import SyncGroupResponse

from .consumer.scene import CLIENT, Topics

GROUP = "g"
SESSION_MS = 10_000
REBALANCE_MS = 30_000
VERSION = 3
JOINER = Client("c", "10.0.0.1", 9)

AnswerT = TypeVar("AnswerT")


class Mixed:
    """A whole `GroupMachine` over one shard; it can be loaded anew from its log."""

    def __init__(self, **settings: Any) -> None:
        self.clock = ManualClock()
        self.env = env_of(clock=self.clock)
        self.topics = Topics()
        fast = {"group_consumer_assignment_interval_ms": 0, "group_initial_rebalance_delay_ms": 0}
        self.config = replace(BrokerConfig(), **{**fast, **settings})
        self._load([])

    def _load(self, log: list[Record]) -> None:
        timeline = Timeline()
        self.shard = OneShard(timeline, self.clock)
        self.around = GroupSurroundings(
            env=self.env,
            config=self.config,
            image=lambda: self.topics.image,
            timeline=timeline,
            timers=self.shard.timers,
            groups=TimelineDict[str, Group](timeline),
            report=lambda event, fields: None,
        )
        self.machine = GroupMachine(self.around)
        self.shard.run(self.machine)
        for offset, record in enumerate(log):
            self.machine.replay(_through_bytes(record), offset, None)
        self.shard.log = list(log)
        self.shard.commit()
        self.machine.on_loaded()

    def reload(self) -> None:
        """Another node takes the shard over: what is not committed is lost, and who waits is sent
        away."""
        self.machine.on_unloaded()
        self._load(self.shard.log[: self.shard.committed])

    def wait(self, ms: float) -> None:
        self.shard.timers.advance(ms)

    def keys_since(self, start: int) -> list[int]:
        """Types of the keys written from a place of the log on; tombstones are negative."""
        return [
            (record.key.API_KEY or 0) * (1 if record.value is not None else -1)
            for record in self.shard.log[start:]
        ]

    # --- looking --------------------------------------------------------------------------------

    @property
    def consumer_group(self) -> ConsumerGroup:
        found = self.around.groups[GROUP]
        assert isinstance(found, ConsumerGroup)
        return found

    @property
    def classic_group(self) -> ClassicGroup:
        found = self.around.groups[GROUP]
        assert isinstance(found, ClassicGroup)
        return found

    @property
    def kind(self) -> str:
        """Kind of the group; empty: there is none."""
        found = self.around.groups.get(GROUP)
        return "" if found is None else found.kind.value

    # --- asking ---------------------------------------------------------------------------------

    def ask(
        self, request: ConsumerGroupHeartbeatRequest, api_version: int = 1
    ) -> ConsumerGroupHeartbeatResponse:
        """A heartbeat of a member of the consumer protocol."""
        check_heartbeat(request, api_version, self.config.group_consumer_assignors)
        return self.shard.write(lambda: self.machine.consumer.heartbeat(request, CLIENT))

    def join(self, request: JoinGroupRequest, client: Client = JOINER) -> Kept[JoinGroupResponse]:
        reply: Kept[JoinGroupResponse] = Kept()
        return self._park(reply, lambda: self.machine.join(request, client, reply))

    def sync(self, request: SyncGroupRequest) -> Kept[SyncGroupResponse]:
        reply: Kept[SyncGroupResponse] = Kept()
        return self._park(reply, lambda: self.machine.sync(request, reply))

    def _park(self, reply: Kept[AnswerT], operation: Callable[[], Any]) -> Kept[AnswerT]:
        try:
            self.shard.write(operation)
        except KafkaError as error:
            reply.refuse(error)
        return reply

    def heartbeat(self, member_id: str, generation: int, instance_id: str | None = None) -> int:
        """A Heartbeat of the classic protocol; its code."""
        request = HeartbeatRequest(
            group_id=GROUP,
            member_id=member_id,
            generation_id=generation,
            group_instance_id=instance_id,
        )
        try:
            return self.shard.write(lambda: self.machine.heartbeat(request)).error_code
        except KafkaError as error:
            return int(error.code)

    def leave(self, *members: tuple[str, str | None]) -> list[int]:
        """A LeaveGroup; the code of each member."""
        request = LeaveGroupRequest(
            group_id=GROUP,
            members=[MemberIdentity(member_id=m, group_instance_id=i) for m, i in members],
        )
        answer = self.shard.write(lambda: self.machine.leave(request))
        return [one.error_code for one in answer.members]


def _through_bytes(record: Record) -> Record:
    """The record as the log gives it back."""
    key = decode_group_key(encode_key(record.key))
    assert not isinstance(key, UnknownRecordType)
    if record.value is None:
        return Record(key, None)
    assert key.API_KEY is not None
    version = record.version if isinstance(key, GroupMetadataKey) else CONSUMER_GROUP_VERSION
    value = encode_value(record.value, version)
    return Record(key, decode_group_value(key.API_KEY, value))
