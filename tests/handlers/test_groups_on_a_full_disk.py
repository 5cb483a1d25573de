"""A disk that takes no more records of groups: who is told what, and what is left (CRT-05)."""

from __future__ import annotations

import errno
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kit.classic_groups import join_request
from kit.raw_client import RawClient
from kit.waiting import eventually, until

from barnabas.broker.core.ports import Buffer
from barnabas.broker.node import Node
from barnabas.broker.storage.files import RealFile
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.consumer_group_describe_request import ConsumerGroupDescribeRequest
from barnabas.protocol.messages.consumer_group_heartbeat_request import (
    ConsumerGroupHeartbeatRequest,
)
from barnabas.protocol.messages.sync_group_request import (
    SyncGroupRequest,
    SyncGroupRequestAssignment,
)

from .groups import commit, fetched, find, loaded
from .nodes import create, serving

ONE_SHARD: dict[str, Any] = {
    "group_initial_rebalance_delay_ms": 0,
    "offsets_topic_num_partitions": 1,
    "offsets_topic_replication_factor": 1,
}
AWAY = (ErrorCode.NOT_COORDINATOR, ErrorCode.COORDINATOR_NOT_AVAILABLE)


@contextmanager
def full_disk() -> Iterator[None]:
    """Nothing more can be appended to what groups are written to."""
    original = RealFile.append

    def fail(self: RealFile, buffers: Sequence[Buffer] = ()) -> int:
        if "/__consumer_offsets-" in self.path:
            raise OSError(errno.ENOSPC, "planted", self.path)
        return original(self, buffers)

    RealFile.append = fail  # type: ignore[method-assign]  # the file's double, for a while
    try:
        yield
    finally:
        RealFile.append = original  # type: ignore[method-assign]  # and the file again


def heartbeat(**fields: Any) -> ConsumerGroupHeartbeatRequest:
    """A join of member `m` to the consumer group `new`, unless `fields` say else."""
    join: dict[str, Any] = {
        "group_id": "new",
        "member_id": "m",
        "rebalance_timeout_ms": 30_000,
        "subscribed_topic_names": ["t"],
        "topic_partitions": [],
    }
    return ConsumerGroupHeartbeatRequest(**{**join, **fields})


async def begin(node: Node, client: RawClient) -> str:
    """A stable classic group `g` with an offset, and a consumer group `new`; the classic member."""
    await create(client, "t", 1)
    await find(client)
    await loaded(node)
    joined = await client.ask(join_request(), 3)
    member_id: str = joined.member_id
    assert (await client.ask(sync(member_id, 1), 3)).assignment == b"mine"
    assert await commit(client, {("t", 0): 5}, **ours(member_id)) == [0]
    assert (await client.ask(heartbeat(), 1)).member_epoch == 2
    return member_id


def ours(member_id: str, generation: int = 1) -> dict[str, Any]:
    """Who commits."""
    return {"member_id": member_id, "generation_id_or_member_epoch": generation}


def sync(member_id: str, generation: int) -> SyncGroupRequest:
    """A leader that keeps everything."""
    return SyncGroupRequest(
        group_id="g",
        generation_id=generation,
        member_id=member_id,
        assignments=[SyncGroupRequestAssignment(member_id=member_id, assignment=b"mine")],
    )


async def test_groups_go_on_after_a_full_disk(tmp_path: Path) -> None:
    """Goal: what cannot be written is refused as if the coordinator were elsewhere, by groups of
    both protocols and for offsets; once there is room and the node is back, members, epochs and
    offsets are those that were acknowledged, and groups take requests again (CRT-05, CRT-07,
    CRT-19)."""
    async with serving(tmp_path, **ONE_SHARD) as (node, client):
        member_id = await begin(node, client)
        with full_disk():
            rejected = await commit(client, {("t", 0): 9}, **ours(member_id))
            assert rejected[0] in AWAY
            for request, version in (
                (heartbeat(member_id="n"), 1),
                (heartbeat(member_epoch=-1), 1),
                (join_request(member_id), 3),
                (join_request(group="other"), 3),
                (sync(member_id, 1), 3),
            ):
                assert (await client.ask(request, version)).error_code in AWAY, request
        assert node.broker.figures()["ReplicaManager.OfflineReplicaCount"] == 1
    async with serving(tmp_path, **ONE_SHARD) as (node, client):
        await until(lambda: not node.broker.figures()["ReplicaManager.OfflineReplicaCount"])
        await eventually(lambda: find(client), lambda found: not found.error_code)
        await loaded(node)
        assert (await fetched(client))["t", 0] == (5, "", 0)
        described = await client.ask(ConsumerGroupDescribeRequest(group_ids=["new"]), 1)
        assert [one.member_id for one in described.groups[0].members] == ["m"]
        assert await commit(client, {("t", 0): 9}, **ours(member_id)) == [0]
        again = await client.ask(join_request(member_id), 3)
        assert (again.error_code, again.generation_id) == (0, 2)
        assert (await client.ask(sync(member_id, 2), 3)).assignment == b"mine"
        assert (await client.ask(heartbeat(member_id="n"), 1)).error_code == 0
