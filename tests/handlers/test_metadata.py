"""Metadata, DescribeCluster, DescribeTopicPartitions over the wire, in all versions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from kit.broker import running
from kit.raw_client import RawClient

from barnabas.broker.core.cluster.commands import FenceBroker
from barnabas.broker.server.controller.controller_service import ControllerService
from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.broker_registration_change_record import (
    BrokerRegistrationChangeRecord,
)
from barnabas.protocol.messages.describe_cluster_request import DescribeClusterRequest
from barnabas.protocol.messages.describe_topic_partitions_request import (
    Cursor,
    DescribeTopicPartitionsRequest,
    TopicRequest,
)
from barnabas.protocol.messages.metadata_request import MetadataRequest, MetadataRequestTopic

from .clusters import create_replicated, epoch_of, register
from .controller.asking import Asking
from .nodes import create, serving

NOT_ASKED = -(2**31)
UNKNOWN_ID = b"\xee" * 16


def by_name(*names: str | None, **fields: Any) -> MetadataRequest:
    return MetadataRequest(topics=[MetadataRequestTopic(name=name) for name in names], **fields)


@pytest.mark.parametrize("version", range(14))
async def test_every_version(tmp_path: Path, version: int) -> None:
    """Decision 9: brokers, topics, leaders; the address is the one that was dialled."""
    async with serving(tmp_path) as (node, client):
        topic_id = await create(client, "t", 2)
        answer = await client.ask(by_name("t"), version)
        (broker,) = answer.brokers
        assert (broker.node_id, broker.host, broker.port) == (1, "127.0.0.1", node.port)
        assert answer.cluster_id == (node.cluster_id if version >= 2 else None)
        assert answer.controller_id == (1 if version >= 1 else -1)
        (topic,) = answer.topics
        assert (topic.error_code, topic.name, topic.is_internal) == (0, "t", False)
        assert topic.topic_id == (topic_id if version >= 10 else bytes(16))
        assert topic.topic_authorized_operations == NOT_ASKED
        assert answer.cluster_authorized_operations == NOT_ASKED
        assert answer.error_code == 0
        assert [one.partition_index for one in topic.partitions] == [0, 1]
        for one in topic.partitions:
            assert (one.error_code, one.leader_id) == (0, 1)
            assert one.leader_epoch == (0 if version >= 7 else -1)
            assert (one.replica_nodes, one.isr_nodes, one.offline_replicas) == ([1], [1], [])


async def test_what_is_named_twice_is_told_once(tmp_path: Path) -> None:
    """516-01: by name as by id."""
    async with serving(tmp_path) as (_, client):
        topic_id = await create(client, "t")
        by_id = MetadataRequest(topics=[MetadataRequestTopic(topic_id=topic_id, name=None)] * 2)
        for request in (by_name("t", "t"), by_id):
            (topic,) = (await client.ask(request, 12)).topics
            assert topic.topic_id == topic_id


@pytest.mark.parametrize("version", [0, 1, 8, 9, 10, 13])
async def test_all_topics_or_none(tmp_path: Path, version: int) -> None:
    """Null is all topics (an empty list in version 0); an empty list is none."""
    async with serving(tmp_path) as (_, client):
        await create(client, "a")
        await create(client, "b")
        wanted = MetadataRequest(topics=[] if version == 0 else None)
        answer = await client.ask(wanted, version)
        assert sorted(topic.name for topic in answer.topics) == ["a", "b"]
        if version:
            answer = await client.ask(MetadataRequest(topics=[]), version)
            assert answer.topics == []
            assert len(answer.brokers) == 1


@pytest.mark.parametrize("version", [9, 10, 11, 12, 13])
@pytest.mark.parametrize("is_consumer", [False, True])
async def test_all_topics_as_librdkafka_asks(
    tmp_path: Path, version: int, is_consumer: bool
) -> None:
    """ENV-06: its null array of topics is three bytes too long; Kafka reads on, and so do we.

    Its consumers ask without `allow_auto_topic_creation`, everybody else with it.
    """
    allow, cluster = b"\0" if is_consumer else b"\1", b"\0" if version <= 10 else b""
    body = bytes(4) + allow + cluster + bytes(2)
    head = b"\0\3" + version.to_bytes(2) + (3).to_bytes(4) + b"\0\7rdkafka\0"
    async with serving(tmp_path) as (_, client):
        await create(client, "a")
        client.writer.write((len(head) + len(body)).to_bytes(4) + head + body)
        answer = await client.receive(3, version)
        assert [topic.name for topic in answer.topics] == ["a"]


@pytest.mark.parametrize("version", [0, 4, 13])
async def test_a_missing_topic_is_created_and_answered_with_its_leader(
    tmp_path: Path, version: int
) -> None:
    """Decision 8: the first answer has it whole; Kafka's says LEADER_NOT_AVAILABLE first."""
    async with serving(tmp_path, num_partitions=3) as (node, client):
        answer = await client.ask(by_name("new", "new"), version)
        (topic,) = answer.topics
        assert topic.error_code == 0
        assert [one.leader_id for one in topic.partitions] == [1, 1, 1]
        assert node.broker.replicas.get("new", 2) is not None


async def test_what_is_not_created(tmp_path: Path) -> None:
    async with serving(tmp_path) as (node, client):
        answer = await client.ask(by_name("no", allow_auto_topic_creation=False), 4)
        assert answer.topics[0].error_code == 3
        answer = await client.ask(by_name("a b", "__consumer_offsets", "__cluster_metadata"), 9)
        assert [one.error_code for one in answer.topics] == [17, 3, 3]
        assert [one.is_internal for one in answer.topics] == [False, True, False]
        assert not node.image.topics_by_name


async def test_creation_can_be_switched_off_or_fail(tmp_path: Path) -> None:
    async with serving(tmp_path / "a", auto_create_topics_enable=False) as (_, client):
        assert (await client.ask(by_name("t"), 9)).topics[0].error_code == 3
    async with serving(tmp_path / "b", default_replication_factor=2) as (_, client):
        assert (await client.ask(by_name("t"), 9)).topics[0].error_code == 38


@pytest.mark.parametrize("code", [ErrorCode.NOT_CONTROLLER, ErrorCode.REQUEST_TIMED_OUT])
async def test_a_topic_that_nobody_could_create_yet_is_unknown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: ErrorCode
) -> None:
    """UNKNOWN_TOPIC_OR_PARTITION (3), as in Kafka: clients ask again; others are final for some."""

    async def nobody(self: ControllerService, command: object) -> None:
        raise KafkaError(code)

    async with serving(tmp_path) as (_, client):
        with monkeypatch.context() as patch:
            patch.setattr(ControllerService, "submit", nobody)
            assert (await client.ask(by_name("t"), 9)).topics[0].error_code == 3
        assert (await client.ask(by_name("t"), 9)).topics[0].error_code == 0


@pytest.mark.parametrize("version", [12, 13])
async def test_topics_by_id(tmp_path: Path, version: int) -> None:
    """516-01: an unknown id is 100, with the id and no name."""
    async with serving(tmp_path) as (_, client):
        topic_id = await create(client, "t")
        wanted = MetadataRequest(
            topics=[
                MetadataRequestTopic(topic_id=topic_id, name=None),
                MetadataRequestTopic(topic_id=UNKNOWN_ID, name=None),
            ]
        )
        first, second = (await client.ask(wanted, version)).topics
        assert (first.error_code, first.name) == (0, "t")
        assert (second.error_code, second.name, second.topic_id) == (100, None, UNKNOWN_ID)


@pytest.mark.parametrize("version", [10, 11])
async def test_ids_and_null_names_are_not_for_these_versions(tmp_path: Path, version: int) -> None:
    async with serving(tmp_path) as (_, client):
        wanted = MetadataRequest(topics=[MetadataRequestTopic(topic_id=UNKNOWN_ID, name="x")])
        assert (await client.ask(wanted, version)).topics[0].error_code == 42
        assert (await client.ask(by_name(None), version)).topics[0].error_code == 42


async def test_operations_on_request_and_advertised_listeners(tmp_path: Path) -> None:
    settings = {"advertised_listeners": ("PLAINTEXT://kafka.example:1234",), "broker_rack": "r1"}
    async with serving(tmp_path, **settings) as (_, client):
        await create(client, "t")
        wanted = by_name(
            "t",
            include_topic_authorized_operations=True,
            include_cluster_authorized_operations=True,
        )
        answer = await client.ask(wanted, 8)
        assert answer.topics[0].topic_authorized_operations == 3576
        assert answer.cluster_authorized_operations == 8096
        (broker,) = answer.brokers
        assert (broker.host, broker.port, broker.rack) == ("kafka.example", 1234, "r1")


async def test_without_a_leader(tmp_path: Path) -> None:
    """LEADER_NOT_AVAILABLE (5), leader -1, and the replica is offline."""
    async with serving(tmp_path, lost_broker_listing_ms=0) as (node, client):
        await create(client, "t")
        await node.metadata.submit(FenceBroker(1, node.metadata.broker_epoch))
        answer = await client.ask(by_name("t"), 9)
        assert ([one.node_id for one in answer.brokers], answer.controller_id) == ([1], -1)
        (partition,) = answer.topics[0].partitions
        assert (partition.error_code, partition.leader_id, partition.leader_epoch) == (5, -1, 1)
        assert partition.offline_replicas == [1]
        answer = await client.ask(DescribeClusterRequest(include_fenced_brokers=True), 2)
        assert [one.is_fenced for one in answer.brokers] == [True]
        topics = await client.ask(DescribeTopicPartitionsRequest(), 0)
        (partition,) = topics.topics[0].partitions
        assert (partition.error_code, partition.leader_id) == (0, -1), "no error there, as in Kafka"
        assert (partition.eligible_leader_replicas, partition.last_known_elr) == ([1], [1])


async def test_a_broker_that_died_is_told_for_a_while(tmp_path: Path) -> None:
    """It leads nothing, and is where it was: clients do not take it for one that was removed."""
    async with running(tmp_path) as bench, bench.connect() as client:
        register(bench)
        create_replicated(bench, leader=2)
        fence = BrokerRegistrationChangeRecord(broker_id=2, broker_epoch=epoch_of(2), fenced=1)
        bench.apply(fence)
        answer = await client.ask(by_name("t"), 13)
        told = [(one.node_id, one.host, one.port) for one in answer.brokers]
        assert told[1] == (2, "b2", 9002)
        assert [one for one, _, _ in told] == [1, 2, 3]
        (partition,) = answer.topics[0].partitions
        assert (partition.error_code, partition.leader_id) == (5, -1)
        assert partition.offline_replicas == [2]
        for version in range(3):
            answer = await client.ask(DescribeClusterRequest(), version)
            assert [(one.broker_id, one.is_fenced) for one in answer.brokers] == [
                (1, False),
                (2, version >= 2),
                (3, False),
            ]


async def test_a_leader_that_has_just_gone(tmp_path: Path) -> None:
    """631-02: until the controller has decided, nobody is told to go there; then its word counts.

    Clients ask again soon after LEADER_NOT_AVAILABLE (5).
    """
    async with running(tmp_path) as bench, bench.connect() as client:
        register(bench)
        create_replicated(bench, leader=2)

        async def told() -> tuple[int, int]:
            (partition,) = (await client.ask(by_name("t"), 9)).topics[0].partitions
            return partition.error_code, partition.leader_id

        lost = bench.broker.lost_leaders
        assert await told() == (0, 2)
        lost.note(3)
        assert await told() == (0, 2)
        lost.note(2)
        assert await told() == (5, -1)
        lost.heard(2)
        assert await told() == (0, 2)


@pytest.mark.parametrize("version", range(3))
async def test_describe_cluster(tmp_path: Path, version: int) -> None:
    async with serving(tmp_path) as (node, client):
        wanted = DescribeClusterRequest(include_cluster_authorized_operations=version > 0)
        answer = await client.ask(wanted, version)
        assert (answer.error_code, answer.cluster_id) == (0, node.cluster_id)
        assert answer.controller_id == 1
        assert [(one.broker_id, one.port) for one in answer.brokers] == [(1, node.port)]
        operations = 8096 if version > 0 else NOT_ASKED
        assert answer.cluster_authorized_operations == operations


@pytest.mark.parametrize(("kind", "code"), [(2, 114), (3, 115)])
async def test_describe_cluster_of_other_endpoints(tmp_path: Path, kind: int, code: int) -> None:
    async with serving(tmp_path) as (_, client):
        answer = await client.ask(DescribeClusterRequest(endpoint_type=kind), 1)
        assert answer.error_code == code
        assert answer.brokers == []


@pytest.mark.parametrize(("version", "code"), [(0, 42), (1, 114), (2, 114)])
async def test_a_controller_does_not_describe_brokers(version: int, code: int) -> None:
    """KIP-919: version 0 cannot say which endpoints it means, and knows no code 114."""
    answer = await Asking(1).ask(DescribeClusterRequest(), version)
    assert (answer.error_code, answer.brokers) == (code, [])


async def pages(client: RawClient, limit: int, *names: str) -> list[list[tuple[str, list[int]]]]:
    cursor: Cursor | None = None
    found = []
    while True:
        wanted = DescribeTopicPartitionsRequest(
            topics=[TopicRequest(name=name) for name in names],
            response_partition_limit=limit,
            cursor=cursor,
        )
        answer = await client.ask(wanted, 0)
        assert all(topic.error_code == 0 for topic in answer.topics)
        found.append(
            [
                (topic.name, [one.partition_index for one in topic.partitions])
                for topic in answer.topics
            ]
        )
        after = answer.next_cursor
        if after is None:
            return found
        cursor = Cursor(topic_name=after.topic_name, partition_index=after.partition_index)


async def test_describe_topic_partitions_a_page_at_a_time(tmp_path: Path) -> None:
    """KIP-966: topics by name; the cursor is the first partition that did not fit."""
    async with serving(tmp_path, max_request_partition_size_limit=4) as (_, client):
        await create(client, "b", 3)
        await create(client, "a", 2)
        await create(client, "c", 1)
        assert await pages(client, 100) == [
            [("a", [0, 1]), ("b", [0, 1])],
            [("b", [2]), ("c", [0])],
        ]
        assert await pages(client, 2) == [
            [("a", [0, 1])],
            [("b", [0, 1])],
            [("b", [2]), ("c", [0])],
        ]
        assert await pages(client, 0, "b") == [[("b", [0])], [("b", [1])], [("b", [2])]]
        assert await pages(client, 3, "c", "b") == [[("b", [0, 1, 2])], [("c", [0])]]


async def test_describe_topic_partitions_that_are_not_there(tmp_path: Path) -> None:
    async with serving(tmp_path) as (_, client):
        await create(client, "t")
        names = [TopicRequest(name=name) for name in ("t", "none", "a b")]
        answer = await client.ask(DescribeTopicPartitionsRequest(topics=names), 0)
        assert [(one.name, one.error_code) for one in answer.topics] == [
            ("a b", 17),
            ("none", 3),
            ("t", 0),
        ]
        for cursor in (Cursor(topic_name="x"), Cursor(topic_name="t", partition_index=-1)):
            wanted = DescribeTopicPartitionsRequest(topics=[TopicRequest(name="t")], cursor=cursor)
            assert [one.error_code for one in (await client.ask(wanted, 0)).topics] == [42]
