"""CreateTopics, DeleteTopics, CreatePartitions, DeleteRecords, DescribeLogDirs over the wire."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from kit.batches import batch
from kit.producing import send

from barnabas.protocol.messages.create_partitions_request import (
    CreatePartitionsAssignment,
    CreatePartitionsRequest,
    CreatePartitionsTopic,
)
from barnabas.protocol.messages.create_topics_request import (
    CreatableReplicaAssignment,
    CreatableTopic,
    CreatableTopicConfig,
    CreateTopicsRequest,
)
from barnabas.protocol.messages.delete_topics_request import DeleteTopicsRequest, DeleteTopicState
from barnabas.protocol.messages.describe_log_dirs_request import (
    DescribableLogDirTopic,
    DescribeLogDirsRequest,
)

from .nodes import create, records_before, serving

UNKNOWN_ID = b"\xee" * 16


def topic(name: str, partitions: int = 1, replicas: int = 1, **fields: Any) -> CreatableTopic:
    return CreatableTopic(
        name=name, num_partitions=partitions, replication_factor=replicas, **fields
    )


@pytest.mark.parametrize("version", range(2, 8))
async def test_topics_are_created_in_every_version(tmp_path: Path, version: int) -> None:
    """Decision 8: when the answer is there, the logs are."""
    async with serving(tmp_path) as (node, client):
        config = CreatableTopicConfig(name="retention.ms", value="5")
        wanted = CreateTopicsRequest(topics=[topic("t", 2, configs=[config]), topic("a b")])
        answer = await client.ask(wanted, version)
        good, bad = answer.topics
        assert (good.name, good.error_code, good.error_message) == ("t", 0, None)
        assert (bad.name, bad.error_code) == ("a b", 17)
        assert bad.error_message.startswith("Topic name is invalid: 'a b'")
        partition = node.broker.replicas.get("t", 1)
        assert partition is not None
        assert partition.is_leader
        assert partition.config.retention_ms == 5
        assert (tmp_path / "t-1" / "00000000000000000000.log").exists()
        if version >= 5:
            assert (good.num_partitions, good.replication_factor) == (2, 1)
            sources = {one.name: (one.value, one.config_source) for one in good.configs}
            assert sources["retention.ms"] == ("5", 1)
            assert sources["segment.bytes"] == ("1073741824", 5)
            assert "internal.segment.bytes" not in sources
            assert list(sources) == sorted(sources)
        if version >= 7:
            assert good.topic_id == node.image.topics_by_name["t"].topic_id


async def test_what_cannot_be_created_has_its_own_code(tmp_path: Path) -> None:
    async with serving(tmp_path) as (node, client):
        manual = CreatableReplicaAssignment(partition_index=0, broker_ids=[1])
        wanted = CreateTopicsRequest(
            topics=[
                topic("twice"),
                topic("twice"),
                topic("rf", 1, 3),
                topic("parts", 0),
                topic("conf", configs=[CreatableTopicConfig(name="x", value="1")]),
                topic("null", configs=[CreatableTopicConfig(name="retention.ms", value=None)]),
                topic("manual", -1, -1, assignments=[manual]),
                topic("defaults", -1, -1),
            ]
        )
        answer = await client.ask(wanted, 6)
        assert {one.name: one.error_code for one in answer.topics} == {
            "twice": 42,
            "rf": 38,
            "parts": 37,
            "conf": 40,
            "null": 40,
            "manual": 0,
            "defaults": 0,
        }
        assert len(answer.topics) == 7
        assert set(node.image.topics_by_name) == {"manual", "defaults"}


async def test_validate_only_creates_nothing(tmp_path: Path) -> None:
    async with serving(tmp_path) as (node, client):
        wanted = CreateTopicsRequest(topics=[topic("t", 4)], validate_only=True)
        answer = await client.ask(wanted, 5)
        assert (answer.topics[0].error_code, answer.topics[0].num_partitions) == (0, 4)
        assert not node.image.topics_by_name


async def test_too_many_partitions_are_refused_whole(tmp_path: Path) -> None:
    """The command is refused (44); each topic of the request says so."""
    async with serving(tmp_path, max_partitions_per_request=10) as (node, client):
        wanted = CreateTopicsRequest(topics=[topic("a", 6), topic("b", 6)])
        answer = await client.ask(wanted, 7)
        assert [one.error_code for one in answer.topics] == [44, 44]
        assert not node.image.topics_by_name


@pytest.mark.parametrize("version", range(1, 7))
async def test_topics_are_deleted_in_every_version(tmp_path: Path, version: int) -> None:
    async with serving(tmp_path) as (node, client):
        await create(client, "t")
        if version >= 6:
            states = [DeleteTopicState(name=name) for name in ("t", "none")]
            wanted = DeleteTopicsRequest(topics=states)
        else:
            wanted = DeleteTopicsRequest(topic_names=["t", "none"])
        answer = await client.ask(wanted, version)
        assert [(one.name, one.error_code) for one in answer.responses] == [("t", 0), ("none", 3)]
        assert node.broker.replicas.get("t", 0) is None
        assert not (tmp_path / "t-0").exists()
        assert any(name.endswith("-delete") for name in os.listdir(tmp_path))


async def test_topics_are_deleted_by_id(tmp_path: Path) -> None:
    """516-01: an unknown id is 100; recreated under its name, a topic is another one."""
    async with serving(tmp_path) as (node, client):
        first = await create(client, "t")
        second = await create(client, "u")
        wanted = DeleteTopicsRequest(
            topics=[
                DeleteTopicState(name=None, topic_id=first),
                DeleteTopicState(name=None, topic_id=UNKNOWN_ID),
                DeleteTopicState(name="u", topic_id=second),
                DeleteTopicState(name=None, topic_id=bytes(16)),
            ]
        )
        answer = await client.ask(wanted, 6)
        assert [(one.name, one.error_code) for one in answer.responses] == [
            ("t", 0),
            (None, 100),
            ("u", 42),
            (None, 42),
        ]
        assert await create(client, "t") != first
        assert set(node.image.topics_by_name) == {"t", "u"}
        twice = DeleteTopicsRequest(topics=[DeleteTopicState(name="t")] * 2)
        answer = await client.ask(twice, 6)
        assert [(one.error_code, one.error_message) for one in answer.responses] == [
            (42, "Duplicate topic name.")
        ]


async def test_a_topic_named_by_name_and_by_id_stays(tmp_path: Path) -> None:
    """516-01: as with one named twice, the request may be a mistake; one row tells it."""
    async with serving(tmp_path) as (node, client):
        topic_id = await create(client, "t")
        both = [DeleteTopicState(name="t"), DeleteTopicState(name=None, topic_id=topic_id)]
        answer = await client.ask(DeleteTopicsRequest(topics=both), 6)
        assert [(one.name, one.topic_id, one.error_code) for one in answer.responses] == [
            ("t", topic_id, 42)
        ]
        assert "t" in node.image.topics_by_name


@pytest.mark.parametrize(("version", "code"), [(1, 42), (5, 73), (6, 73)])
async def test_deletion_can_be_switched_off(tmp_path: Path, version: int, code: int) -> None:
    async with serving(tmp_path, delete_topic_enable=False) as (node, client):
        await create(client, "t")
        wanted = (
            DeleteTopicsRequest(topics=[DeleteTopicState(name="t")])
            if version >= 6
            else DeleteTopicsRequest(topic_names=["t"])
        )
        answer = await client.ask(wanted, version)
        assert [one.error_code for one in answer.responses] == [code]
        assert "t" in node.image.topics_by_name


@pytest.mark.parametrize("version", range(4))
async def test_partitions_are_added_in_every_version(tmp_path: Path, version: int) -> None:
    """Null assignments leave the choice to the cluster; an empty list is an error, as in Kafka."""
    async with serving(tmp_path) as (node, client):
        for name in "tuvw":
            await create(client, name)
        manual = [CreatePartitionsAssignment(broker_ids=[1])]
        wanted = CreatePartitionsRequest(
            topics=[
                CreatePartitionsTopic(name="t", count=3, assignments=None),
                CreatePartitionsTopic(name="u", count=2, assignments=[]),
                CreatePartitionsTopic(name="v", count=2, assignments=manual),
                CreatePartitionsTopic(name="w", count=1, assignments=None),
                CreatePartitionsTopic(name="none", count=2, assignments=None),
                CreatePartitionsTopic(name="x", count=2, assignments=None),
                CreatePartitionsTopic(name="x", count=3, assignments=None),
            ]
        )
        answer = await client.ask(wanted, version)
        assert [(one.name, one.error_code) for one in answer.results] == [
            ("t", 0),
            ("u", 39),
            ("v", 0),
            ("w", 37),
            ("none", 3),
            ("x", 42),
        ]
        assert node.broker.replicas.get("t", 2) is not None
        assert node.broker.replicas.get("u", 1) is None
        wanted = CreatePartitionsRequest(
            topics=[CreatePartitionsTopic(name="t", count=9, assignments=None)], validate_only=True
        )
        assert (await client.ask(wanted, version)).results[0].error_code == 0
        assert len(node.image.topics_by_name["t"].partitions) == 3


async def test_records_that_are_deleted_twice(tmp_path: Path) -> None:
    """As Kafka: one row for a partition, and the last offset that was named counts."""
    async with serving(tmp_path) as (_, client):
        await create(client, "t")
        await send(client, batch(b"a", b"b", b"c"))
        (topic,) = (await client.ask(records_before(("t", 0, 1), ("t", 0, 2)), 2)).topics
        assert [(one.low_watermark, one.error_code) for one in topic.partitions] == [(2, 0)]


@pytest.mark.parametrize("version", range(3))
async def test_records_are_deleted_in_every_version(tmp_path: Path, version: int) -> None:
    """-1 is the high watermark; nothing beyond it; not where records are never removed (CMP-19)."""
    async with serving(tmp_path) as (_, client):
        await create(client, "t")
        await create(client, "c", cleanup_policy="compact")
        for _ in range(5):
            await send(client, batch(b"x"))

        async def delete(*row: Any) -> tuple[int, int]:
            answer = await client.ask(records_before(row), version)
            (found,) = answer.topics[0].partitions
            return found.error_code, found.low_watermark

        assert await delete("t", 0, 2) == (0, 2)
        assert await delete("t", 0, 1) == (0, 2), "it never goes back"
        assert await delete("t", 0, 6) == (1, -1)
        assert await delete("t", 0, -2) == (1, -1)
        assert await delete("t", 1, 0) == (3, -1)
        assert await delete("none", 0, 0) == (3, -1)
        assert await delete("c", 0, 0) == (44, -1)
        assert await delete("__cluster_metadata", 0, 0) == (44, -1), "630-17"
        assert await delete("__consumer_offsets", 0, 0) == (17, -1)
        assert await delete("t", 0, -1) == (0, 5)


@pytest.mark.parametrize("version", range(1, 5))
async def test_log_directories_are_described(tmp_path: Path, version: int) -> None:
    async with serving(tmp_path) as (_, client):
        await create(client, "t", 2)
        await create(client, "u")
        await send(client, batch(b"x" * 100))
        answer = await client.ask(DescribeLogDirsRequest(topics=None), version)
        (directory,) = answer.results
        assert (directory.error_code, directory.log_dir) == (0, str(tmp_path))
        sizes = {
            (one.name, part.partition_index): part.partition_size
            for one in directory.topics
            for part in one.partitions
        }
        assert set(sizes) == {("t", 0), ("t", 1), ("u", 0)}
        assert sizes["t", 0] > 100
        assert sizes["u", 0] == 0
        if version >= 4:
            assert 0 < directory.usable_bytes < directory.total_bytes
        wanted = DescribableLogDirTopic(topic="t", partitions=[1, 7])
        answer = await client.ask(DescribeLogDirsRequest(topics=[wanted]), version)
        (found,) = answer.results[0].topics
        assert [one.partition_index for one in found.partitions] == [1]
        twice = [DescribableLogDirTopic(topic="t", partitions=[one]) for one in (0, 1)]
        answer = await client.ask(DescribeLogDirsRequest(topics=twice), version)
        (found,) = answer.results[0].topics
        assert {one.partition_index for one in found.partitions} == {0, 1}
        answer = await client.ask(DescribeLogDirsRequest(topics=[]), version)
        assert answer.results[0].topics == []
