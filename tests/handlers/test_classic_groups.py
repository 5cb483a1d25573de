"""Requests of classic groups over the wire: shapes of old and new versions, who is told what."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from kit.classic_groups import join_request
from kit.raw_client import RawClient
from kit.waiting import eventually

from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.core.coordination.groups.group_machine import GroupMachine
from barnabas.broker.handlers import describe_groups, heartbeat, join_group, leave_group, sync_group
from barnabas.broker.node import Node
from barnabas.broker.serving.context import BrokerContext
from barnabas.broker.serving.rights import EVERYTHING
from barnabas.broker.serving.waiting import SLICE
from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.describe_groups_request import DescribeGroupsRequest
from barnabas.protocol.messages.find_coordinator_request import FindCoordinatorRequest
from barnabas.protocol.messages.heartbeat_request import HeartbeatRequest
from barnabas.protocol.messages.join_group_request import JoinGroupRequest
from barnabas.protocol.messages.leave_group_request import LeaveGroupRequest, MemberIdentity
from barnabas.protocol.messages.sync_group_request import (
    SyncGroupRequest,
    SyncGroupRequestAssignment,
)

from .nodes import serving

JOIN, SYNC, HEARTBEAT, LEAVE, DESCRIBE = 11, 14, 12, 13, 15
AT_ONCE: dict[str, Any] = {
    "group_initial_rebalance_delay_ms": 0,
    "offsets_topic_num_partitions": 1,
    "offsets_topic_replication_factor": 1,
}


@asynccontextmanager
async def coordinating(directory: Path, **settings: Any) -> AsyncIterator[tuple[Node, RawClient]]:
    """A node that has loaded its only shard of groups."""
    async with serving(directory, **{**AT_ONCE, **settings}) as (node, client):

        async def ask() -> int:
            found = await client.ask(FindCoordinatorRequest(key="g"), 3)
            if found.error_code:
                return int(found.error_code)
            left = await client.ask(leaving("nobody"), 3)
            return int(left.error_code)

        await eventually(ask, lambda code: code == 0)
        yield node, client


def leaving(*ids: str) -> LeaveGroupRequest:
    return LeaveGroupRequest(group_id="g", members=[MemberIdentity(member_id=one) for one in ids])


def syncing(member_id: str, **fields: Any) -> SyncGroupRequest:
    return SyncGroupRequest(
        group_id="g",
        generation_id=1,
        member_id=member_id,
        assignments=[SyncGroupRequestAssignment(member_id=member_id, assignment=b"mine")],
        **fields,
    )


@pytest.mark.parametrize("version", range(10))
async def test_join_of_every_version(tmp_path: Path, version: int) -> None:
    """Goal: every version of JoinGroup gets an id, a generation and the protocol; what is older
    than a field does not show it (GRP-05, GRP-13)."""
    async with coordinating(tmp_path) as (_, client):
        request = join_request()
        answer = await client.ask(request, version)
        if version >= 4:
            assert answer.error_code == ErrorCode.MEMBER_ID_REQUIRED
            assert (answer.generation_id, answer.leader, answer.members) == (-1, "", [])
            assert answer.protocol_name == (None if version >= 7 else "")
            request.member_id = answer.member_id
            answer = await client.ask(request, version)
        assert (answer.error_code, answer.generation_id) == (0, 1)
        assert answer.member_id.startswith("raw-")
        assert answer.leader == answer.member_id
        assert answer.protocol_name == "range"
        assert answer.protocol_type == ("consumer" if version >= 7 else None)
        assert [one.member_id for one in answer.members] == [answer.member_id]


@pytest.mark.parametrize("version", range(10))
async def test_join_with_an_error(tmp_path: Path, version: int) -> None:
    """Goal: errors keep the shape of their version, and name the id that the client sent
    (GRP-01)."""
    async with coordinating(tmp_path) as (_, client):
        for request, code in (
            (join_request("m", group=""), ErrorCode.INVALID_GROUP_ID),
            (join_request("m", session_ms=1), ErrorCode.INVALID_SESSION_TIMEOUT),
            (join_request("m"), ErrorCode.UNKNOWN_MEMBER_ID),
        ):
            answer = await client.ask(request, version)
            assert (answer.error_code, answer.member_id) == (code, "m")
            assert answer.protocol_name == (None if version >= 7 else "")


@pytest.mark.parametrize("version", range(6))
async def test_sync_of_every_version(tmp_path: Path, version: int) -> None:
    """Goal: every version of SyncGroup gets its assignment; since version 5 protocol type and
    name, which it must send (GRP-19)."""
    async with coordinating(tmp_path) as (_, client):
        member_id = (await client.ask(join_request(), 3)).member_id
        if version >= 5:
            refused = await client.ask(syncing(member_id), version)
            assert refused.error_code == ErrorCode.INCONSISTENT_GROUP_PROTOCOL
        named = {"protocol_type": "consumer", "protocol_name": "range"} if version >= 5 else {}
        answer = await client.ask(syncing(member_id, **named), version)
        assert (answer.error_code, answer.assignment) == (0, b"mine")
        told = (answer.protocol_type, answer.protocol_name)
        assert told == (("consumer", "range") if version >= 5 else (None, None))


@pytest.mark.parametrize("version", range(5))
async def test_heartbeat_of_every_version(tmp_path: Path, version: int) -> None:
    """Goal: every version of Heartbeat is answered with one error code (GRP-29)."""
    async with coordinating(tmp_path) as (_, client):
        member_id = (await client.ask(join_request(), 3)).member_id
        request = HeartbeatRequest(group_id="g", generation_id=1, member_id=member_id)
        assert (await client.ask(request, version)).error_code == 0
        request.generation_id = 2
        answer = await client.ask(request, version)
        assert answer.error_code == ErrorCode.ILLEGAL_GENERATION
        request.group_id = ""
        assert (await client.ask(request, version)).error_code == ErrorCode.INVALID_GROUP_ID


@pytest.mark.parametrize("version", range(6))
async def test_leave_of_every_version(tmp_path: Path, version: int) -> None:
    """Goal: versions 0 to 2 have one member and its error at the top, later ones an error for each
    member and none at the top (GRP-22)."""
    async with coordinating(tmp_path) as (_, client):
        member_id = (await client.ask(join_request(), 3)).member_id
        if version < 3:
            for expected in (0, ErrorCode.UNKNOWN_MEMBER_ID):
                request = LeaveGroupRequest(group_id="g", member_id=member_id)
                assert (await client.ask(request, version)).error_code == expected
        else:
            answer = await client.ask(leaving(member_id, "nobody"), version)
            assert answer.error_code == 0
            assert [one.error_code for one in answer.members] == [0, 25]
        refused = await client.ask(LeaveGroupRequest(group_id=""), version)
        assert refused.error_code == ErrorCode.INVALID_GROUP_ID


async def test_very_many_members_leave_in_slices(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Goal: a LeaveGroup of very many ids is worked on some at a time, answered in its order, and
    the one member among them is gone (GRP-22)."""
    async with coordinating(tmp_path) as (_, client):
        joined = await client.ask(join_request(), 3)
        sizes: list[int] = []
        leave = GroupMachine.leave

        def counting(machine: GroupMachine, request: LeaveGroupRequest) -> Any:
            sizes.append(len(request.members))
            return leave(machine, request)

        monkeypatch.setattr(GroupMachine, "leave", counting)
        ids = [f"m{number}" for number in range(2 * SLICE)] + [joined.member_id]
        answer = await client.ask(leaving(*ids), 5)
        assert sizes == [SLICE, SLICE, 1]
        assert [one.member_id for one in answer.members] == ids
        unknown = int(ErrorCode.UNKNOWN_MEMBER_ID)
        assert [one.error_code for one in answer.members] == [unknown] * 2 * SLICE + [0]


@pytest.mark.parametrize("version", range(7))
async def test_describe_of_every_version(tmp_path: Path, version: int) -> None:
    """Goal: a group is described with its members; one that is not there is dead, and an error
    since version 6; the empty id is an id like others (GRP-27, CRT-04)."""
    async with coordinating(tmp_path) as (_, client):
        member_id = (await client.ask(join_request(), 3)).member_id
        await client.ask(syncing(member_id), 3)
        request = DescribeGroupsRequest(
            groups=["g", "none", "", "g"], include_authorized_operations=version >= 3
        )
        found, *missing = (await client.ask(request, version)).groups
        assert (found.error_code, found.group_id, found.group_state) == (0, "g", "Stable")
        assert (found.protocol_type, found.protocol_data) == ("consumer", "range")
        (member,) = found.members
        assert (member.member_id, member.client_id) == (member_id, "raw")
        assert (member.client_host, member.member_assignment) == ("/127.0.0.1", b"mine")
        if version >= 3:
            assert found.authorized_operations == sum(1 << bit for bit in (3, 6, 8, 10, 11))
        assert [one.group_id for one in missing] == ["none", ""], "each is described once"
        for one in missing:
            assert (one.group_state, one.members) == ("Dead", [])
            code = ErrorCode.GROUP_ID_NOT_FOUND if version >= 6 else ErrorCode.NONE
            assert one.error_code == code
            assert (one.error_message is not None) == (version >= 6)


async def test_connection_closes_while_a_join_waits(tmp_path: Path) -> None:
    """Goal: a JoinGroup whose connection is gone is answered into nothing; its member expires, and
    nothing of it is left (F-9, GRP-07)."""
    # Long enough that a slow machine looks at the group while the JoinGroup still waits.
    settings = {"group_initial_rebalance_delay_ms": 1000, "group_min_session_timeout_ms": 1}
    async with coordinating(tmp_path, **settings) as (node, client):
        async with RawClient("127.0.0.1", node.port) as gone:
            gone.send(join_request(session_ms=100), 3)
            await gone.writer.drain()

            async def state() -> str:
                groups = (await client.ask(DescribeGroupsRequest(groups=["g"]), 5)).groups
                return str(groups[0].group_state)

            await eventually(state, lambda found: found == "PreparingRebalance")
        await eventually(state, lambda found: found == "Empty")


async def test_members_that_wait_keep_nobody_else_waiting(tmp_path: Path) -> None:
    """Goal: how long a JoinGroup or SyncGroup waits is for other clients to say; a node with more
    of them than `queued.max.requests` serves everybody else (ATK-15)."""
    async with (
        coordinating(tmp_path, queued_max_requests=2) as (node, client),
        RawClient("127.0.0.1", node.port) as leaders,
        RawClient("127.0.0.1", node.port) as waiting,
    ):
        for number in range(4):
            group = f"g{number}"
            joined = await leaders.ask(join_request(group=group), 3)
            assert joined.error_code == 0
            follower = join_request(group=group, rebalance_ms=2**31 - 1)
            waiting.send(follower, 3)

        async def state_of_all() -> set[str]:
            names = [f"g{number}" for number in range(4)]
            described = await client.ask(DescribeGroupsRequest(groups=names), 5)
            return {one.group_state for one in described.groups}

        await eventually(state_of_all, lambda found: found == {"PreparingRebalance"})
        for _ in range(5):
            assert (await client.ask(leaving("nobody"), 3)).error_code == 0


async def test_three_members_come_and_go(tmp_path: Path) -> None:
    """Goal: JoinGroups wait for each other over several connections, and each rebalance has its
    generation (GRP-10, GRP-13, GRP-23)."""
    async with coordinating(tmp_path, group_initial_rebalance_delay_ms=100) as (node, client):
        port = node.port
        async with RawClient("127.0.0.1", port) as second, RawClient("127.0.0.1", port) as third:
            members = (client, second, third)
            joined = await asyncio.gather(*(one.ask(join_request(), 3) for one in members))
            assert [one.generation_id for one in joined] == [1, 1, 1]
            assert sum(len(one.members) for one in joined) == 3
            ids = [one.member_id for one in joined]
            synced = await asyncio.gather(
                *(one.ask(syncing(name), 3) for one, name in zip(members, ids, strict=True))
            )
            assert [one.error_code for one in synced] == [0, 0, 0]
            assert {one.assignment for one in synced} == {b"mine", b""}
            await third.ask(leaving(ids[2]), 3)
            again = await asyncio.gather(
                client.ask(join_request(ids[0]), 3), second.ask(join_request(ids[1]), 3)
            )
            assert [one.generation_id for one in again] == [2, 2]
            left = await client.ask(leaving(*ids[:2]), 3)
            assert [one.error_code for one in left.members] == [0, 0]


async def test_group_survives_a_restart(tmp_path: Path) -> None:
    """Goal: a node that starts again knows members and assignments (CRT-17)."""
    async with coordinating(tmp_path) as (_, client):
        member_id = (await client.ask(join_request(), 3)).member_id
        await client.ask(syncing(member_id), 3)
    async with coordinating(tmp_path) as (_, client):
        request = HeartbeatRequest(group_id="g", generation_id=1, member_id=member_id)
        assert (await client.ask(request, 3)).error_code == 0
        assert (await client.ask(syncing(member_id), 3)).assignment == b"mine"


# --- without a node: a coordinator that says what a test likes ---------------------------------


class Refusing:
    """`Groups` that refuses everything."""

    def __init__(self, code: ErrorCode) -> None:
        self._code = code

    async def write(self, group_id: str, decide: object) -> Any:
        raise KafkaError(self._code)

    async def read(self, group_id: str, look: object, *, may_be_old: bool = False) -> Any:
        raise KafkaError(self._code)

    park = write


def context_of(code: ErrorCode, version: int) -> BrokerContext:
    node = SimpleNamespace(groups=Refusing(code), config=BrokerConfig())
    header = SimpleNamespace(client_id=None)
    found = SimpleNamespace(
        node=node, header=header, client_host="h", api_version=version, rights=EVERYTHING
    )
    return cast("BrokerContext", found)


async def test_while_loading() -> None:
    """Goal: while its shard loads, a heartbeat is fine and a SyncGroup means join again, since
    Java's client fails on anything else there; a JoinGroup is told to wait (CRT-04, CRT-04b)."""
    loading = context_of(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS, 3)
    beat = await heartbeat.handle(HeartbeatRequest(group_id="g"), loading)
    assert beat.error_code == 0
    synced = await sync_group.handle(syncing("m"), loading)
    assert synced.error_code == ErrorCode.REBALANCE_IN_PROGRESS
    joined = await join_group.handle(join_request("m"), loading)
    assert joined.error_code == ErrorCode.COORDINATOR_LOAD_IN_PROGRESS
    with pytest.raises(KafkaError):
        await leave_group.handle(leaving("m"), loading)


@pytest.mark.parametrize("code", [ErrorCode.COORDINATOR_NOT_AVAILABLE, ErrorCode.NOT_COORDINATOR])
async def test_elsewhere(code: ErrorCode) -> None:
    """Goal: a node that is no coordinator of the group says so, per group where there are several
    (CRT-04)."""
    elsewhere = context_of(code, 6)
    joined = await join_group.handle(join_request("m"), elsewhere)
    assert (joined.error_code, joined.member_id) == (code, "m")
    described = await describe_groups.handle(DescribeGroupsRequest(groups=["a", "b"]), elsewhere)
    assert [(one.group_id, one.error_code) for one in described.groups] == [
        ("a", code),
        ("b", code),
    ]
    for ask in (
        heartbeat.handle(HeartbeatRequest(group_id="g"), elsewhere),
        sync_group.handle(syncing("m", protocol_type="", protocol_name=""), elsewhere),
        leave_group.handle(leaving("m"), elsewhere),
    ):
        with pytest.raises(KafkaError) as caught:
            await ask
        assert caught.value.code is code


def test_bug_in_a_join() -> None:
    """Goal: also an error of our own can be answered in every version (GRP-01)."""
    request = JoinGroupRequest(member_id="m")
    for version in range(10):
        answer = join_group.HANDLER.refusal(request, version, ErrorCode.UNKNOWN_SERVER_ERROR, None)
        assert answer.encode(version)
