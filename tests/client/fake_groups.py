"""A coordinator for fake brokers: classic groups as Kafka keeps them, and what a test scripts."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.message import Message
from barnabas.protocol.messages import find_coordinator_response as found
from barnabas.protocol.messages import join_group_response as joined
from barnabas.protocol.messages import leave_group_response as left
from barnabas.protocol.messages import offset_commit_response as committed
from barnabas.protocol.messages import offset_fetch_response as fetched
from barnabas.protocol.messages.heartbeat_response import HeartbeatResponse
from barnabas.protocol.messages.sync_group_response import SyncGroupResponse

from .fake_cluster import FakeCluster, FakeNode

SERVED = {8: (2, 10), 9: (1, 10), 10: (0, 6), 11: (0, 9), 12: (0, 4), 13: (0, 5), 14: (0, 5)}


class FakeMember:
    """One member: what it said when it joined, and its answer that waits."""

    def __init__(self, request: Any) -> None:
        self.request = request
        self.waiting: asyncio.Future[None] | None = None
        self.assignment: bytes | None = None


class FakeGroup:
    """One group; no timer runs: a member goes when a test says so."""

    def __init__(self) -> None:
        self.generation = 0
        self.state = "Empty"
        self.members: dict[str, FakeMember] = {}
        self.protocol = ""
        self.leader = ""
        self.offsets: dict[tuple[str, int], tuple[int, str, int]] = {}
        self.synced = asyncio.Event()
        self.numbers = 0

    def expel(self, member_id: str) -> None:
        """The member's session is over."""
        member = self.members.pop(member_id)
        if member.waiting is not None and not member.waiting.done():
            member.waiting.cancel()
        self.prepare()

    def prepare(self) -> None:
        """A rebalance begins, and ends at once when everybody has joined."""
        self.state = "Preparing" if self.members else "Empty"
        self.synced.set()
        self.synced = asyncio.Event()
        if self.members and all(each.waiting is not None for each in self.members.values()):
            self.complete()

    def complete(self) -> None:
        """All have joined: the next generation."""
        self.generation += 1
        self.state = "Completing"
        names = [[p.name for p in each.request.protocols] for each in self.members.values()]
        self.protocol = next(name for name in names[0] if all(name in one for one in names))
        if self.leader not in self.members:
            self.leader = next(iter(self.members))
        for each in self.members.values():
            assert each.waiting is not None
            if not each.waiting.done():
                each.waiting.set_result(None)
            each.waiting = None
            each.assignment = None


class FakeGroups:
    """Coordinates groups on one node of a fake cluster."""

    def __init__(self, cluster: FakeCluster, node_id: int = 1) -> None:
        self.node_id = node_id
        self.groups: dict[str, FakeGroup] = {}
        self.errors: dict[str, deque[int]] = {}
        """API -> codes that its next requests are answered with."""
        self.hangs: set[str] = set()
        """APIs that are not answered."""
        self._cluster = cluster
        cluster.served.update(SERVED)
        cluster.more.update(
            FindCoordinator=self._find,
            JoinGroup=self._join,
            SyncGroup=self._sync,
            Heartbeat=self._heartbeat,
            LeaveGroup=self._leave,
            OffsetCommit=self._commit,
            OffsetFetch=self._fetch,
        )

    def __getitem__(self, group_id: str) -> FakeGroup:
        return self.groups.setdefault(group_id, FakeGroup())

    def fail(self, name: str, *codes: int) -> None:
        """Answer the next requests of one API with these codes."""
        self.errors.setdefault(name, deque()).extend(codes)

    async def code(self, name: str, node: FakeNode) -> int:
        """What a request is refused with before its group is looked at."""
        if name in self.hangs:
            await asyncio.Event().wait()
        scripted = self.errors.get(name)
        if scripted:
            return scripted.popleft()
        return 0 if node.node_id == self.node_id else int(ErrorCode.NOT_COORDINATOR)

    async def _find(self, node: FakeNode, request: Any, version: int) -> Message:
        del version
        scripted = self.errors.get("FindCoordinator")
        code = scripted.popleft() if scripted else 0
        port = node.cluster.nodes[self.node_id].port
        return found.FindCoordinatorResponse(
            coordinators=[
                found.Coordinator(
                    key=key,
                    node_id=self.node_id,
                    host="127.0.0.1",
                    port=port,
                    error_code=code,
                    error_message="",
                )
                for key in request.coordinator_keys
            ]
        )

    async def _join(self, node: FakeNode, request: Any, version: int) -> Message:
        del version
        code = await self.code("JoinGroup", node)
        group = self[request.group_id]
        member_id = request.member_id
        if not code and not member_id:
            group.numbers += 1
            member_id = f"{request.group_instance_id or 'm'}-{group.numbers}"
            if request.group_instance_id is None:
                code = int(ErrorCode.MEMBER_ID_REQUIRED)
        if code:
            return joined.JoinGroupResponse(error_code=code, member_id=member_id, leader="")
        old = self._of_instance(group, request.group_instance_id)
        if old is not None and old != member_id:
            return self._replace(group, old, member_id, request)
        member = group.members.setdefault(member_id, FakeMember(request))
        member.request = request
        member.waiting = asyncio.get_running_loop().create_future()
        waiting = member.waiting
        group.prepare()
        await waiting
        return self._join_answer(group, member_id)

    def _of_instance(self, group: FakeGroup, instance: str | None) -> str | None:
        found_ids = (
            key for key, one in group.members.items() if one.request.group_instance_id == instance
        )
        return next(found_ids, None) if instance is not None else None

    def _replace(self, group: FakeGroup, old: str, new: str, request: Any) -> Message:
        """A static member comes back under a new id: nothing else changes (KIP-814)."""
        member = group.members.pop(old)
        group.members[new] = member
        member.request = request
        if group.leader == old:
            group.leader = new
        answer = self._join_answer(group, new)
        answer.skip_assignment = group.leader == new
        return answer

    def _join_answer(self, group: FakeGroup, member_id: str) -> joined.JoinGroupResponse:
        members = [
            joined.JoinGroupResponseMember(
                member_id=key,
                group_instance_id=each.request.group_instance_id,
                metadata=next(
                    p.metadata for p in each.request.protocols if p.name == group.protocol
                ),
            )
            for key, each in group.members.items()
        ]
        return joined.JoinGroupResponse(
            generation_id=group.generation,
            protocol_type="consumer",
            protocol_name=group.protocol,
            leader=group.leader,
            member_id=member_id,
            members=members if group.leader == member_id else [],
        )

    def _check(self, group: FakeGroup, request: Any, generation: int) -> int:
        member = group.members.get(request.member_id)
        if member is None:
            instance = self._of_instance(group, request.group_instance_id)
            known = instance is not None
            return int(ErrorCode.FENCED_INSTANCE_ID if known else ErrorCode.UNKNOWN_MEMBER_ID)
        return 0 if generation == group.generation else int(ErrorCode.ILLEGAL_GENERATION)

    async def _sync(self, node: FakeNode, request: Any, version: int) -> Message:
        del version
        code = await self.code("SyncGroup", node)
        group = self[request.group_id]
        code = code or self._check(group, request, request.generation_id)
        if not code and group.state == "Preparing":
            code = int(ErrorCode.REBALANCE_IN_PROGRESS)
        if code:
            return SyncGroupResponse(error_code=code, assignment=b"")
        if request.member_id == group.leader and group.state == "Completing":
            for each in request.assignments:
                if each.member_id in group.members:
                    group.members[each.member_id].assignment = bytes(each.assignment)
            group.state = "Stable"
            group.synced.set()
        synced = group.synced
        await synced.wait()
        member = group.members.get(request.member_id)
        if group.state != "Stable" or member is None:
            return SyncGroupResponse(error_code=ErrorCode.REBALANCE_IN_PROGRESS, assignment=b"")
        return SyncGroupResponse(
            protocol_type="consumer",
            protocol_name=group.protocol,
            assignment=member.assignment or b"",
        )

    async def _heartbeat(self, node: FakeNode, request: Any, version: int) -> Message:
        del version
        code = await self.code("Heartbeat", node)
        group = self[request.group_id]
        code = code or self._check(group, request, request.generation_id)
        if not code and group.state == "Preparing":
            code = int(ErrorCode.REBALANCE_IN_PROGRESS)
        return HeartbeatResponse(error_code=code)

    async def _leave(self, node: FakeNode, request: Any, version: int) -> Message:
        del version
        code = await self.code("LeaveGroup", node)
        group = self[request.group_id]
        for each in request.members:
            if not code and each.member_id in group.members:
                group.expel(each.member_id)
        return left.LeaveGroupResponse(error_code=code)

    def _commit_code(self, group: FakeGroup, request: Any) -> int:
        generation = request.generation_id_or_member_epoch
        if generation < 0 and not request.member_id and not group.members:
            return 0
        code = self._check(group, request, generation)
        if not code and group.state == "Completing":
            code = int(ErrorCode.REBALANCE_IN_PROGRESS)
        return code

    async def _commit(self, node: FakeNode, request: Any, version: int) -> Message:
        del version
        code = await self.code("OffsetCommit", node)
        group = self[request.group_id]
        code = code or self._commit_code(group, request)
        topics = []
        for topic in request.topics:
            answers = []
            for each in topic.partitions:
                answers.append(
                    committed.OffsetCommitResponsePartition(
                        partition_index=each.partition_index, error_code=code
                    )
                )
                if not code:
                    group.offsets[topic.name, each.partition_index] = (
                        each.committed_offset,
                        each.committed_metadata or "",
                        each.committed_leader_epoch,
                    )
            topics.append(committed.OffsetCommitResponseTopic(name=topic.name, partitions=answers))
        return committed.OffsetCommitResponse(topics=topics)

    async def _fetch(self, node: FakeNode, request: Any, version: int) -> Message:
        del version
        code = await self.code("OffsetFetch", node)
        groups = []
        for asked in request.groups:
            group = self[asked.group_id]
            wanted = [
                (topic.name, n) for topic in asked.topics or () for n in topic.partition_indexes
            ]
            topics = [
                fetched.OffsetFetchResponseTopics(
                    name=name, partitions=[self._stored(group, name, number)]
                )
                for name, number in (sorted(group.offsets) if asked.topics is None else wanted)
            ]
            groups.append(
                fetched.OffsetFetchResponseGroup(
                    group_id=asked.group_id, error_code=code, topics=[] if code else topics
                )
            )
        return fetched.OffsetFetchResponse(groups=groups)

    def _stored(
        self, group: FakeGroup, topic: str, number: int
    ) -> fetched.OffsetFetchResponsePartitions:
        offset, metadata, epoch = group.offsets.get((topic, number), (-1, "", -1))
        return fetched.OffsetFetchResponsePartitions(
            partition_index=number,
            committed_offset=offset,
            committed_leader_epoch=epoch,
            metadata=metadata,
        )
