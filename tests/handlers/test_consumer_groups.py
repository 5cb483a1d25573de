"""Groups of the consumer protocol over the wire (KIP-848)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kit.raw_client import RawClient

from barnabas.broker.core.coordination.groups.embedded_protocol import read_assignment
from barnabas.broker.node import Node
from barnabas.protocol.messages.consumer_group_describe_request import (
    ConsumerGroupDescribeRequest,
)
from barnabas.protocol.messages.consumer_group_heartbeat_request import (
    ConsumerGroupHeartbeatRequest,
    TopicPartitions,
)
from barnabas.protocol.messages.consumer_protocol_subscription import ConsumerProtocolSubscription
from barnabas.protocol.messages.heartbeat_request import HeartbeatRequest
from barnabas.protocol.messages.join_group_request import (
    JoinGroupRequest,
    JoinGroupRequestProtocol,
)
from barnabas.protocol.messages.leave_group_request import LeaveGroupRequest, MemberIdentity
from barnabas.protocol.messages.list_groups_request import ListGroupsRequest
from barnabas.protocol.messages.sync_group_request import (
    SyncGroupRequest,
    SyncGroupRequestAssignment,
)

from .groups import commit, fetched, find, loaded
from .nodes import create, serving

INCONSISTENT_GROUP_PROTOCOL = 23
UNKNOWN_MEMBER_ID = 25
REBALANCE_IN_PROGRESS = 27
UNSUPPORTED_VERSION = 35
INVALID_REQUEST = 42
GROUP_ID_NOT_FOUND = 69
UNSUPPORTED_ASSIGNOR = 112


def heartbeat(**fields: Any) -> ConsumerGroupHeartbeatRequest:
    """A join of member `m` to group `g`, with topic `t`, unless `fields` say else."""
    join: dict[str, Any] = {
        "group_id": "g",
        "member_id": "m",
        "rebalance_timeout_ms": 30_000,
        "subscribed_topic_names": ["t"],
        "topic_partitions": [],
    }
    return ConsumerGroupHeartbeatRequest(**{**join, **fields})


async def ready(node: Node, client: RawClient) -> bytes:
    """A topic of three partitions, and the coordinator; the topic's id."""
    topic_id = await create(client, "t", 3)
    await find(client)
    await loaded(node)
    return topic_id


async def test_a_member_joins_is_described_and_leaves(tmp_path: Path) -> None:
    """Heartbeat and describe, in both versions; lists tell type and state (848-04, 848-20,
    848-24)."""
    async with serving(tmp_path) as (node, client):
        topic_id = await ready(node, client)
        joined = await client.ask(heartbeat(), 1)
        assert (joined.error_code, joined.member_id, joined.member_epoch) == (0, "m", 2)
        assert joined.heartbeat_interval_ms == 5000
        assert [(one.topic_id, one.partitions) for one in joined.assignment.topic_partitions] == [
            (topic_id, [0, 1, 2])
        ]
        owned = [TopicPartitions(topic_id=topic_id, partitions=[0, 1, 2])]
        short = ConsumerGroupHeartbeatRequest(
            group_id="g", member_id="m", member_epoch=2, topic_partitions=owned
        )
        assert (await client.ask(short, 0)).assignment is None
        for version, member_type in ((0, -1), (1, 1)):
            request = ConsumerGroupDescribeRequest(
                group_ids=["g", "x", "g"], include_authorized_operations=True
            )
            answer = await client.ask(request, version)
            group, other = answer.groups
            assert (group.error_code, group.group_state) == (0, "Stable")
            assert (group.group_epoch, group.assignment_epoch) == (2, 2)
            assert group.authorized_operations > 0
            member = group.members[0]
            assert (member.member_id, member.member_type) == ("m", member_type)
            assert member.client_host == "/127.0.0.1"
            assert member.assignment.topic_partitions[0].topic_name == "t"
            assert (other.group_id, other.error_code) == ("x", GROUP_ID_NOT_FOUND)
        listed = (await client.ask(ListGroupsRequest(), 5)).groups
        assert [
            (one.group_id, one.protocol_type, one.group_state, one.group_type) for one in listed
        ] == [("g", "consumer", "Stable", "consumer")]
        left = await client.ask(
            ConsumerGroupHeartbeatRequest(group_id="g", member_id="m", member_epoch=-1), 1
        )
        assert (left.error_code, left.member_epoch) == (0, -1)


async def test_topics_that_grow_are_told(tmp_path: Path) -> None:
    """A change of the metadata reaches the group at its next heartbeat (848-11)."""
    async with serving(tmp_path, group_consumer_assignment_interval_ms=0) as (node, client):
        await ready(node, client)
        await client.ask(heartbeat(subscribed_topic_names=["t", "later"]), 1)
        await create(client, "later", 2)
        answer = await client.ask(
            heartbeat(subscribed_topic_names=["t", "later"], member_epoch=2), 1
        )
        assert answer.member_epoch == 3
        assert sum(len(one.partitions) for one in answer.assignment.topic_partitions) == 5


async def test_a_group_is_there_after_a_restart(tmp_path: Path) -> None:
    """Members, epochs and assignments are read from the log; the member goes on (CRT-16)."""
    async with serving(tmp_path) as (node, client):
        topic_id = await ready(node, client)
        await client.ask(heartbeat(), 1)
    async with serving(tmp_path) as (node, client):
        await find(client)
        await loaded(node)
        owned = [TopicPartitions(topic_id=topic_id, partitions=[0, 1, 2])]
        going_on = heartbeat(member_epoch=2, topic_partitions=owned)
        answer = await client.ask(going_on, 1)
        assert (answer.error_code, answer.member_epoch) == (0, 2)
        assert answer.assignment.topic_partitions[0].partitions == [0, 1, 2]


async def test_an_empty_group_may_change_its_protocol(tmp_path: Path) -> None:
    """Offsets stay; a group with members of one protocol takes none of the other (848-06)."""
    join = JoinGroupRequest(
        group_id="g",
        session_timeout_ms=10_000,
        rebalance_timeout_ms=10_000,
        protocol_type="consumer",
        protocols=[JoinGroupRequestProtocol(name="range", metadata=b"")],
    )
    settings = {"group_initial_rebalance_delay_ms": 0}
    async with serving(tmp_path, **settings) as (node, client):
        await ready(node, client)
        assert await commit(client, {("t", 0): 7}) == [0]
        joined = await client.ask(heartbeat(), 1)
        assert (joined.error_code, joined.member_epoch) == (0, 2)
        assert (await client.ask(join, 3)).error_code == INCONSISTENT_GROUP_PROTOCOL
        assert await commit(client, {("t", 0): 8}) == [UNKNOWN_MEMBER_ID]
        ours: dict[str, Any] = {"member_id": "m", "generation_id_or_member_epoch": 2}
        assert await commit(client, {("t", 0): 8}, **ours) == [0]
        assert await commit(client, {("t", 0): 9}, version=8, **ours) == [UNSUPPORTED_VERSION]
        left = ConsumerGroupHeartbeatRequest(group_id="g", member_id="m", member_epoch=-1)
        assert (await client.ask(left, 1)).error_code == 0
        assert (await client.ask(join, 3)).error_code == 0
        refused = await client.ask(heartbeat(), 1)
        assert (refused.error_code, refused.error_message[:8]) == (GROUP_ID_NOT_FOUND, "Group g ")
        assert (await fetched(client))["t", 0] == (8, "", 0)
        listed = (await client.ask(ListGroupsRequest(), 5)).groups
        assert [one.group_type for one in listed] == ["classic"]


async def test_a_group_changes_its_kind_over_the_wire(tmp_path: Path) -> None:
    """Classic and consumer members in one group, upgrade and downgrade (848-40 to 848-43)."""
    settings = {
        "group_initial_rebalance_delay_ms": 0,
        "group_consumer_assignment_interval_ms": 0,
    }
    async with serving(tmp_path, **settings) as (node, client):
        topic_id = await ready(node, client)
        subscription = ConsumerProtocolSubscription(topics=["t"]).encode(1)
        join: dict[str, Any] = {
            "group_id": "g",
            "session_timeout_ms": 6000,
            "rebalance_timeout_ms": 6000,
            "protocol_type": "consumer",
            "protocols": [JoinGroupRequestProtocol(name="range", metadata=b"\0\1" + subscription)],
        }
        joined = await client.ask(JoinGroupRequest(**join), 3)
        ours: dict[str, Any] = {"group_id": "g", "member_id": joined.member_id}
        everything = b"\0\1\0\0\0\1\0\1t\0\0\0\3\0\0\0\0\0\0\0\1\0\0\0\2\xff\xff\xff\xff"
        given = SyncGroupRequestAssignment(member_id=joined.member_id, assignment=everything)
        sync = SyncGroupRequest(**ours, generation_id=1, assignments=[given])
        assert (await client.ask(sync, 3)).assignment == everything
        first = await client.ask(heartbeat(), 1)
        assert (first.member_epoch, first.assignment.topic_partitions) == (2, [])
        told = await client.ask(HeartbeatRequest(**ours, generation_id=1), 4)
        assert told.error_code == REBALANCE_IN_PROGRESS
        again = await client.ask(JoinGroupRequest(**{**join, **ours}), 9)
        assert (again.generation_id, again.leader, again.members) == (2, "", [])
        synced = await client.ask(SyncGroupRequest(**ours, generation_id=2), 3)
        assert read_assignment(synced.assignment).partitions.keys() == {"t"}
        described = await client.ask(ConsumerGroupDescribeRequest(group_ids=["g"]), 1)
        assert sorted(one.member_type for one in described.groups[0].members) == [0, 1]
        second = await client.ask(heartbeat(member_epoch=2), 1)
        told = second.assignment.topic_partitions
        assert [one.topic_id for one in told] == [topic_id]
        left = ConsumerGroupHeartbeatRequest(group_id="g", member_id="m", member_epoch=-1)
        assert (await client.ask(left, 1)).error_code == 0
        assert (await client.ask(HeartbeatRequest(**ours, generation_id=2), 4)).error_code == 27
        last = await client.ask(JoinGroupRequest(**{**join, **ours}), 9)
        assert (last.generation_id, last.leader) == (3, joined.member_id)
        gone = LeaveGroupRequest(group_id="g", members=[MemberIdentity(member_id=joined.member_id)])
        assert (await client.ask(gone, 5)).members[0].error_code == 0


async def test_errors_have_their_place(tmp_path: Path) -> None:
    """Bad requests are refused at the top of the answer, with a message (848-02, 848-06)."""
    async with serving(tmp_path) as (node, client):
        await ready(node, client)
        for fields, code in (
            ({"member_id": ""}, INVALID_REQUEST),
            ({"server_assignor": "sticky"}, UNSUPPORTED_ASSIGNOR),
            ({"member_epoch": 7}, GROUP_ID_NOT_FOUND),
        ):
            answer = await client.ask(heartbeat(**fields), 1)
            assert answer.error_code == code
            assert answer.error_message


async def test_the_protocol_can_be_off(tmp_path: Path) -> None:
    """Neither heartbeat nor describe without it in the setting (848-01)."""
    off = {"group_coordinator_rebalance_protocols": ("classic",)}
    async with serving(tmp_path, **off) as (_, client):
        assert (await client.ask(heartbeat(), 1)).error_code == UNSUPPORTED_VERSION
        answer = await client.ask(ConsumerGroupDescribeRequest(group_ids=["g"]), 1)
        assert [one.error_code for one in answer.groups] == [UNSUPPORTED_VERSION]
