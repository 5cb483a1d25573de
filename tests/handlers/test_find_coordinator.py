"""FindCoordinator, and the topic that it makes."""

from __future__ import annotations

from pathlib import Path

import pytest
from kit.batches import batch
from kit.producing import send

from barnabas.broker.core.coordination.partition_of import partition_of
from barnabas.protocol.messages.create_partitions_request import (
    CreatePartitionsRequest,
    CreatePartitionsTopic,
)
from barnabas.protocol.messages.find_coordinator_request import FindCoordinatorRequest
from barnabas.protocol.messages.metadata_request import MetadataRequest, MetadataRequestTopic

from .groups import find
from .nodes import serving


async def test_the_topic_is_made_when_it_is_first_asked_for(tmp_path: Path) -> None:
    """Partitions, settings and place of `__consumer_offsets` (CRT-03, REC-04)."""
    async with serving(tmp_path, offsets_topic_num_partitions=50) as (node, client):
        assert "__consumer_offsets" not in node.image.topics_by_name
        found = await find(client)
        assert (found.key, found.node_id, found.host, found.port) == (
            "g",
            1,
            "127.0.0.1",
            node.port,
        )
        assert (found.error_code, found.error_message) == (0, "")
        topic = node.image.topics_by_name["__consumer_offsets"]
        assert len(topic.partitions) == 50
        partition = node.broker.replicas.get("__consumer_offsets", 7)
        assert partition is not None
        assert partition.config.cleanup_policy == ("compact",)
        assert partition.config.segment_bytes == 104857600
        assert partition.config.compression_type == "producer"
        wanted = MetadataRequest(topics=[MetadataRequestTopic(name="__consumer_offsets")])
        answer = await client.ask(wanted, 12)
        assert answer.topics[0].is_internal


@pytest.mark.parametrize("version", range(7))
async def test_every_version_names_the_coordinator(tmp_path: Path, version: int) -> None:
    """One key before version 4, with NONE as its message; several from then on (CRT-03)."""
    async with serving(tmp_path) as (node, client):
        if version < 4:
            request = FindCoordinatorRequest(key="")
            found = await client.ask(request, version)
            assert found.error_message == ("NONE" if version else "")
        else:
            request = FindCoordinatorRequest(coordinator_keys=["a", ""])
            answer = await client.ask(request, version)
            assert [one.key for one in answer.coordinators] == ["a", ""]
            found = answer.coordinators[1]
        assert (found.error_code, found.node_id, found.port) == (0, 1, node.port)


@pytest.mark.parametrize(("version", "kind"), [(1, 2), (3, 7), (4, 2), (6, 2), (6, 7), (6, -1)])
async def test_other_kinds_of_coordinators_are_refused(
    tmp_path: Path, version: int, kind: int
) -> None:
    """42, with words: there is none of that kind (CRT-03)."""
    async with serving(tmp_path) as (_, client):
        request = FindCoordinatorRequest(key_type=kind)
        if version >= 4:
            request.coordinator_keys = ["a"]
        answer = await client.ask(request, version)
        found = answer.coordinators[0] if version >= 4 else answer
        assert (found.error_code, found.node_id, found.port) == (42, -1, -1)
        assert str(kind) in found.error_message


async def test_who_asks_for_no_key_gets_no_topic(tmp_path: Path) -> None:
    """Without a key no right was asked, so nothing is made for it (CRT-03)."""
    async with serving(tmp_path) as (node, client):
        answer = await client.ask(FindCoordinatorRequest(coordinator_keys=[]), 6)
        assert answer.coordinators == []
        assert "__consumer_offsets" not in node.image.topics_by_name


async def test_a_topic_that_cannot_be_made_lets_clients_wait(tmp_path: Path) -> None:
    """More replicas than brokers: 15, and the node's log says why (CRT-03, REC-04)."""
    async with serving(tmp_path, offsets_topic_replication_factor=3) as (_, client):
        found = await find(client)
        assert (found.error_code, found.node_id, found.host, found.port) == (15, -1, "", -1)
        assert found.error_message == ""


async def test_clients_do_not_write_to_the_topic(tmp_path: Path) -> None:
    """Produce is refused with 17 on either path, and records can be read (REC-05)."""
    async with serving(tmp_path) as (node, client):
        await find(client)
        row = await send(client, batch(b"a"), topic="__consumer_offsets")
        assert row.error_code == 17
        partition = node.broker.replicas.get("__consumer_offsets", 0)
        assert partition is not None
        assert partition.log.log_end_offset == 0
        assert b"__consumer_offsets" not in node.broker.replicas.by_wire_name


async def test_the_number_of_partitions_stays(tmp_path: Path) -> None:
    """CreatePartitions is refused: ids would move to other partitions (CRT-02)."""
    async with serving(tmp_path) as (_, client):
        await find(client)
        more = CreatePartitionsTopic(name="__consumer_offsets", count=5, assignments=None)
        answer = await client.ask(CreatePartitionsRequest(topics=[more]), 3)
        assert answer.results[0].error_code == 17
        assert "internal" in answer.results[0].error_message


@pytest.mark.parametrize(
    ("group", "java_hash"),
    [
        ("", 0),
        ("hello", 99162322),
        ("polygenelubricants", -(2**31)),
        ("\U0001f600", 31 * 0xD83D + 0xDE00),
        ("consumer-group", -1738392088),
    ],
)
def test_ids_belong_to_partitions_as_in_java(group: str, java_hash: int) -> None:
    """Java's hash over UTF-16, without sign; the smallest number is zero (CRT-01)."""
    expected = 0 if java_hash == -(2**31) else abs(java_hash) % 50
    assert partition_of(group, 50) == expected
