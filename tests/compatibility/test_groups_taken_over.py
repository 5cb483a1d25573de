"""One `__consumer_offsets` that Apache Kafka 4.3.1 and this broker serve one after the other."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from handlers.groups import commit, fetched, find, loaded
from handlers.nodes import create, serving
from kit.kafka_jars import KafkaJars
from kit.kafka_process import KafkaProcess
from kit.raw_client import RawClient
from kit.waiting import eventually

from barnabas.broker.core.coordination.groups.embedded_protocol import read_assignment
from barnabas.protocol.messages.consumer_group_describe_request import ConsumerGroupDescribeRequest
from barnabas.protocol.messages.consumer_group_heartbeat_request import (
    ConsumerGroupHeartbeatRequest,
)
from barnabas.protocol.messages.consumer_protocol_subscription import ConsumerProtocolSubscription
from barnabas.protocol.messages.describe_groups_request import DescribeGroupsRequest
from barnabas.protocol.messages.heartbeat_request import HeartbeatRequest
from barnabas.protocol.messages.join_group_request import JoinGroupRequest, JoinGroupRequestProtocol
from barnabas.protocol.messages.sync_group_request import (
    SyncGroupRequest,
    SyncGroupRequestAssignment,
)

pytestmark = [pytest.mark.slow, pytest.mark.kafka]

SETTINGS = {"offsets.topic.num.partitions": "1", "group.initial.rebalance.delay.ms": "0"}
SUBSCRIPTION = b"\0\1" + ConsumerProtocolSubscription(topics=["t"]).encode(1)
ALL_OF_T = b"\0\1\0\0\0\1\0\1t\0\0\0\3\0\0\0\0\0\0\0\1\0\0\0\2\xff\xff\xff\xff"


@pytest.fixture
def kafka(kafka_jars: KafkaJars, tmp_path: Path) -> Iterator[KafkaProcess]:
    process = KafkaProcess(kafka_jars, tmp_path, SETTINGS)
    try:
        process.start()
        yield process
    finally:
        process.stop()


@asynccontextmanager
async def by_kafka(kafka: KafkaProcess) -> AsyncIterator[RawClient]:
    """A connection, once Kafka has loaded all groups."""
    host, _, port = kafka.address.rpartition(":")
    async with RawClient(host, int(port)) as client:
        await eventually(lambda: find(client), lambda found: not found.error_code)

        async def look() -> int:
            answer = await client.ask(DescribeGroupsRequest(groups=["nobody"]), 5)
            return int(answer.groups[0].error_code)

        await eventually(look, lambda code: not code)
        yield client


@asynccontextmanager
async def by_us(kafka: KafkaProcess) -> AsyncIterator[RawClient]:
    """The same with this broker on Kafka's directory."""
    async with serving(kafka.data, node_id=1, group_initial_rebalance_delay_ms=0) as (node, client):
        await eventually(lambda: find(client), lambda found: not found.error_code)
        await loaded(node)
        yield client


def beat(group: str, member_id: str, epoch: int = 0, **fields: Any) -> Any:
    """A heartbeat of a member that joins with topic `t`, or goes on."""
    joins = {
        "rebalance_timeout_ms": 60_000,
        "subscribed_topic_names": ["t"],
        "topic_partitions": [],
    }
    return ConsumerGroupHeartbeatRequest(
        group_id=group,
        member_id=member_id,
        member_epoch=epoch,
        **{**(joins if epoch == 0 else {}), **fields},
    )


def join(group: str, member_id: str = "") -> JoinGroupRequest:
    """A JoinGroup of a consumer that reads `t`."""
    return JoinGroupRequest(
        group_id=group,
        member_id=member_id,
        protocol_type="consumer",
        protocols=[JoinGroupRequestProtocol(name="range", metadata=SUBSCRIPTION)],
        session_timeout_ms=60_000,
        rebalance_timeout_ms=60_000,
    )


async def stable_classic(client: RawClient, group: str) -> str:
    """A classic group of one member that has everything; its id."""
    joined = await client.ask(join(group), 3)
    member_id: str = joined.member_id
    given = SyncGroupRequestAssignment(member_id=member_id, assignment=ALL_OF_T)
    request = SyncGroupRequest(
        group_id=group, member_id=member_id, generation_id=1, assignments=[given]
    )
    assert (await client.ask(request, 3)).assignment == ALL_OF_T
    return member_id


async def described(client: RawClient, *groups: str) -> list[Any]:
    """Consumer groups, without what depends on who describes them."""
    request = ConsumerGroupDescribeRequest(group_ids=list(groups))
    answer = await client.ask(request, 1)
    for group in answer.groups:
        assert group.error_code == 0, group
        group.members.sort(key=lambda one: one.member_id)
        for member in group.members:
            for told in (member.assignment, member.target_assignment):
                told.topic_partitions.sort(key=lambda one: one.topic_name)
                for topic in told.topic_partitions:
                    topic.partitions.sort()
    return list(answer.groups)


async def make_groups(client: RawClient) -> tuple[str, str]:
    """Groups of all kinds; the members of the classic and of the upgraded group."""
    assert await commit(client, {("t", 0): 3}, "simple", metadata="said") == [0]
    plain = await stable_classic(client, "plain")
    ours: dict[str, Any] = {"member_id": plain, "generation_id_or_member_epoch": 1}
    assert await commit(client, {("t", 1): 7}, "plain", **ours) == [0]
    pattern = beat("new", "n", subscribed_topic_names=None, subscribed_topic_regex="t.*")
    assert (await client.ask(pattern, 1)).error_code == 0
    assert (await client.ask(beat("new", "m", instance_id="i", rack_id="r"), 1)).error_code == 0
    upgraded = await stable_classic(client, "mixed")
    assert (await client.ask(beat("mixed", "m"), 1)).member_epoch == 2
    back = await stable_classic(client, "back")
    assert (await client.ask(beat("back", "m"), 1)).member_epoch == 2
    assert (await client.ask(join("back", back), 3)).generation_id == 2
    assert (await client.ask(beat("back", "m", -1), 1)).error_code == 0
    assert (await client.ask(join("back", back), 3)).generation_id == 3
    return plain, upgraded


async def test_groups_go_to_kafka_and_back(kafka: KafkaProcess, kafka_jars: KafkaJars) -> None:
    """Goal: what this broker wrote of groups of all kinds Kafka's tool decodes, and Kafka serves
    on with the same members, epochs and offsets; what Kafka then wrote is served here (REC-01,
    848-42)."""
    async with by_kafka(kafka) as client:
        await create(client, "t", 3)
        assert await commit(client, {("t", 2): 1}, "first") == [0]
    kafka.stop()
    async with by_us(kafka) as client:
        assert await fetched(client, group="first") == {("t", 2): (1, "", 0)}
        plain, upgraded = await make_groups(client)
        before = await described(client, "new", "mixed")
    decode_with_tool(kafka, kafka_jars)
    kafka.restart()
    async with by_kafka(kafka) as client:
        assert await described(client, "new", "mixed") == before
        assert await fetched(client, group="simple") == {("t", 0): (3, "said", 0)}
        assert await fetched(client, group="plain") == {("t", 1): (7, "", 0)}
        alive = HeartbeatRequest(group_id="plain", member_id=plain, generation_id=1)
        assert (await client.ask(alive, 4)).error_code == 0
        old = HeartbeatRequest(group_id="mixed", member_id=upgraded, generation_id=1)
        assert (await client.ask(old, 4)).error_code == 27
        # The hash of topics is Kafka's own, so that the epoch may rise once.
        again = await client.ask(join("mixed", upgraded), 3)
        assert again.generation_id >= 2
        sync = SyncGroupRequest(
            group_id="mixed", member_id=upgraded, generation_id=again.generation_id
        )
        kept = read_assignment((await client.ask(sync, 3)).assignment).partitions
        answer = await client.ask(beat("mixed", "m", 2), 1)
        assert answer.member_epoch == again.generation_id
        told = answer.assignment.topic_partitions
        assert sorted((*kept["t"], *told[0].partitions)) == [0, 1, 2]
        groups = (await client.ask(DescribeGroupsRequest(groups=["back", "plain"]), 5)).groups
        assert {one.protocol_type for one in groups} == {"consumer"}
        assert groups[1].group_state == "Stable"
        after = await described(client, "mixed")
    kafka.stop()
    async with by_us(kafka) as client:
        assert await described(client, "mixed") == after
        epoch = answer.member_epoch
        assert (await client.ask(beat("mixed", "m", epoch), 1)).error_code == 0
        now = HeartbeatRequest(group_id="mixed", member_id=upgraded, generation_id=epoch)
        assert (await client.ask(now, 4)).error_code in (0, 27)


def decode_with_tool(kafka: KafkaProcess, jars: KafkaJars) -> None:
    """DumpLogSegments knows every record that is there, and complains of none."""
    segments = sorted((kafka.data / "__consumer_offsets-0").glob("*.log"))
    done = jars.run(
        "org.apache.kafka.tools.DumpLogSegments",
        "--offsets-decoder",
        *("--files", ",".join(map(str, segments))),
    )
    text = done.stdout + done.stderr
    assert done.returncode == 0, text
    for complaint in ("Exception", "skipping", "Found", "mismatch", "isvalid: false", "nknown"):
        assert complaint not in text, text
    kinds = {f'"type":"{number}"' for number in (1, 2, 3, 5, 6, 7, 8, 16)}
    assert {one for one in kinds if one in text} == kinds, text
