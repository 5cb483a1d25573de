"""Classic groups over one shard without a log: members that join, sync, live, leave."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, TypeVar

from barnabas.broker.core.cluster.image import ClusterImage
from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.core.coordination.groups.classic.classic_group import ClassicGroup
from barnabas.broker.core.coordination.groups.classic.classic_groups import ClassicGroups
from barnabas.broker.core.coordination.groups.classic.member import Client
from barnabas.broker.core.coordination.groups.group import Committer, Group
from barnabas.broker.core.coordination.groups.surroundings import GroupSurroundings
from barnabas.broker.core.coordination.machine import Producer, Record
from barnabas.broker.core.coordination.timeline import LATEST, Timeline, TimelineDict
from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.consumer_protocol_subscription import ConsumerProtocolSubscription
from barnabas.protocol.messages.describe_groups_response import DescribedGroup
from barnabas.protocol.messages.group_metadata_key import GroupMetadataKey
from barnabas.protocol.messages.group_metadata_value import GroupMetadataValue
from barnabas.protocol.messages.heartbeat_request import HeartbeatRequest
from barnabas.protocol.messages.join_group_request import (
    JoinGroupRequest,
    JoinGroupRequestProtocol,
)
from barnabas.protocol.messages.join_group_response import JoinGroupResponse
from barnabas.protocol.messages.leave_group_request import LeaveGroupRequest, MemberIdentity
from barnabas.protocol.messages.sync_group_request import (
    SyncGroupRequest,
    SyncGroupRequestAssignment,
)
from barnabas.protocol.messages.sync_group_response import SyncGroupResponse

from .logs import ManualClock, env_of
from .shards import Kept, OneShard

SESSION_MS = 10_000
REBALANCE_MS = 60_000
DELAY_MS = 3_000

AnswerT = TypeVar("AnswerT")


class Counted(Kept[AnswerT]):
    """A reply that counts how often it was given."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def give(self, answer: AnswerT) -> None:
        self.count += 1
        super().give(answer)

    def refuse(self, error: KafkaError) -> None:
        self.count += 1
        super().refuse(error)


Joined = Counted[JoinGroupResponse]
Synced = Counted[SyncGroupResponse]


class ClassicMachine:
    """`Machine` of classic groups alone."""

    def __init__(self, around: GroupSurroundings) -> None:
        self.around = around
        self.classic = ClassicGroups(around)

    def replay(self, record: Record, offset: int, producer: Producer | None) -> None:
        del producer
        if isinstance(record.key, GroupMetadataKey):
            assert record.value is None or isinstance(record.value, GroupMetadataValue)
            self.classic.replay_group(record.key, record.value, offset)

    def replay_end(self, producer: Producer, *, is_commit: bool) -> None:
        raise AssertionError("no transactions here")

    def on_loaded(self) -> None:
        for group in self.around.groups.values():
            group.on_loaded()

    def on_unloaded(self) -> None:
        for group in self.around.groups.values():
            group.on_unloaded()


def subscription(*topics: str) -> bytes:
    """Metadata of the `consumer` type: version 1, and the topics that a member reads."""
    return b"\x00\x01" + ConsumerProtocolSubscription(topics=list(topics)).encode(1)


def join_request(
    member_id: str = "",
    *,
    group: str = "g",
    instance: str | None = None,
    kind: str = "consumer",
    protocols: Mapping[str, bytes] | None = None,
    session_ms: int = SESSION_MS,
    rebalance_ms: int = REBALANCE_MS,
    reason: str | None = None,
) -> JoinGroupRequest:
    """A JoinGroup of a consumer that can `range`."""
    named = {"range": subscription("t")} if protocols is None else protocols
    return JoinGroupRequest(
        group_id=group,
        member_id=member_id,
        group_instance_id=instance,
        protocol_type=kind,
        protocols=[JoinGroupRequestProtocol(name=n, metadata=m) for n, m in named.items()],
        session_timeout_ms=session_ms,
        rebalance_timeout_ms=rebalance_ms,
        reason=reason,
    )


class Scene:
    """One shard with classic groups; a coordinator that takes it over is made by `restarted`."""

    def __init__(self, log: list[Record] | None = None, **settings: Any) -> None:
        self.clock = ManualClock()
        self.reports: list[tuple[str, dict[str, object]]] = []
        timeline = Timeline()
        self.shard = OneShard(timeline, self.clock)
        groups: TimelineDict[str, Group] = TimelineDict(timeline)
        self.around = GroupSurroundings(
            env=env_of(clock=self.clock),
            config=dataclasses.replace(BrokerConfig(), **settings),
            image=ClusterImage,
            timeline=timeline,
            timers=self.shard.timers,
            groups=groups,
            report=lambda event, fields: self.reports.append((event, fields)),
        )
        self.machine = ClassicMachine(self.around)
        self.classic = self.machine.classic
        self.shard.run(self.machine)
        for offset, record in enumerate(log or ()):
            self.machine.replay(record, offset, None)
            self.shard.log.append(record)
        self.shard.committed = len(self.shard.log)
        self.machine.on_loaded()

    def restarted(self, **settings: Any) -> Scene:
        """A coordinator that reads this one's committed log."""
        return Scene(self.shard.log[: self.shard.committed], **settings)

    # --- requests -------------------------------------------------------------------------------

    def join(
        self,
        member_id: str = "",
        *,
        version: int = 9,
        client_id: str = "c",
        host: str = "10.0.0.1",
        **fields: Any,
    ) -> Joined:
        """Send a JoinGroup; `fields` as of `join_request`."""
        reply: Joined = Counted()
        request = join_request(member_id, **fields)
        client = Client(client_id, host, version)
        try:
            self.shard.write(lambda: self.classic.join(request, client, reply))
        except KafkaError as error:
            reply.refuse(error)
        return reply

    def join_new(self, **fields: Any) -> Joined:
        """A new dynamic member, which comes back with the id if it is given one (KIP-394)."""
        first = self.join(**fields)
        if first.answer is None or first.answer.error_code != ErrorCode.MEMBER_ID_REQUIRED:
            return first
        return self.join(first.answer.member_id, **fields)

    def sync(
        self,
        member_id: str,
        generation: int,
        assignments: Mapping[str, bytes] | None = None,
        *,
        group: str = "g",
        instance: str | None = None,
        kind: str | None = "consumer",
        protocol: str | None = "range",
    ) -> Synced:
        """Send a SyncGroup."""
        reply: Synced = Counted()
        request = SyncGroupRequest(
            group_id=group,
            member_id=member_id,
            generation_id=generation,
            group_instance_id=instance,
            protocol_type=kind,
            protocol_name=protocol,
            assignments=[
                SyncGroupRequestAssignment(member_id=one, assignment=data)
                for one, data in (assignments or {}).items()
            ],
        )
        try:
            self.shard.write(lambda: self.classic.sync(request, reply))
        except KafkaError as error:
            reply.refuse(error)
        return reply

    def heartbeat(
        self, member_id: str, generation: int, *, group: str = "g", instance: str | None = None
    ) -> int:
        """Send a Heartbeat; the error code of its answer."""
        request = HeartbeatRequest(
            group_id=group,
            member_id=member_id,
            generation_id=generation,
            group_instance_id=instance,
        )
        try:
            return self.shard.write(lambda: self.classic.heartbeat(request)).error_code
        except KafkaError as error:
            return int(error.code)

    def leave(self, *members: tuple[str, str | None] | str, group: str = "g") -> list[int]:
        """Send a LeaveGroup of members, or of (member, instance); the error code of each."""
        named = [(one, None) if isinstance(one, str) else one for one in members]
        request = LeaveGroupRequest(
            group_id=group,
            members=[MemberIdentity(member_id=m, group_instance_id=i) for m, i in named],
        )
        answer = self.shard.write(lambda: self.classic.leave(request))
        assert answer.error_code == 0
        return [one.error_code for one in answer.members]

    def commit(
        self,
        member_id: str = "",
        generation: int = -1,
        *,
        instance: str | None = None,
        is_transactional: bool = False,
        group: str = "g",
    ) -> int:
        """Ask whether a member may commit; the error code."""
        committer = Committer(member_id, generation, instance, 9, is_transactional)
        try:
            self.group(group).check_commit(committer, [("t", 0)])
        except KafkaError as error:
            return int(error.code)
        return 0

    # --- what is there --------------------------------------------------------------------------

    def group(self, group_id: str = "g") -> ClassicGroup:
        """The group, which must be there."""
        found = self.classic.find(group_id)
        assert found is not None
        return found

    def state(self, group_id: str = "g") -> str:
        """The state by its name; empty if there is no such group."""
        found = self.classic.find(group_id)
        return "" if found is None else found.state.value

    def described(self, group_id: str = "g") -> DescribedGroup:
        """As DescribeGroups tells it, with everything that is not committed yet."""
        found = self.classic.describe(group_id, LATEST)
        assert found is not None
        return found

    def advance(self, by_ms: float) -> None:
        """Let time pass."""
        self.shard.timers.advance(by_ms)

    # --- whole stories --------------------------------------------------------------------------

    def stable(self, count: int = 1, *, static: bool = False, **fields: Any) -> list[str]:
        """A stable group of so many members, the leader first; static ones are called i0, ..."""
        waiting = []
        for number in range(count):
            if static:
                waiting.append(self.join(instance=f"i{number}", **fields))
            else:
                waiting.append(self.join_new(**fields))
        ids, _ = self.complete(waiting)
        return ids

    def complete(self, waiting: list[Joined]) -> tuple[list[str], int]:
        """Let the join phase end, and all sync; ids with the leader first, and the generation."""
        self.advance(DELAY_MS)
        if not all(one.is_given for one in waiting):
            self.advance(DELAY_MS)
        answers = [answer_of(one) for one in waiting]
        ids = [one.member_id for one in answers]
        leader, generation = answers[0].leader, answers[0].generation_id
        name = answers[0].protocol_name
        kind = self.group().protocol_type
        ids.sort(key=lambda one: one != leader)
        plan = {one: f"of {one}".encode() for one in ids}
        synced = [
            self.sync(one, generation, plan if one == leader else None, kind=kind, protocol=name)
            for one in ids
        ]
        assert all(one.answer is not None and not one.answer.error_code for one in synced)
        return ids, generation


def answer_of(reply: Joined) -> JoinGroupResponse:
    """The answer to a JoinGroup, which must be without error."""
    assert reply.answer is not None, reply.error or "no answer yet"
    assert not reply.answer.error_code, ErrorCode(reply.answer.error_code)
    return reply.answer


def code_of(reply: Joined | Synced) -> int | None:
    """The error code of an answer; None while it waits."""
    if reply.error is not None:
        return int(reply.error.code)
    return None if reply.answer is None else reply.answer.error_code
