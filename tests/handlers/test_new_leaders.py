"""What a leader serves that has just been elected and has not committed all it holds."""

from __future__ import annotations

import asyncio
from pathlib import Path

from kit.batches import batch
from kit.broker import running
from kit.fetching import base_offsets, fetch, read, wanted
from kit.producing import send
from kit.replicas import from_leader

from barnabas.broker.core.cluster.image import RESOURCE_TOPIC
from barnabas.protocol.messages.config_record import ConfigRecord
from barnabas.protocol.messages.list_offsets_request import (
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsTopic,
)
from barnabas.protocol.messages.partition_change_record import PartitionChangeRecord

from .clusters import TOPIC_ID, Follower, create_replicated, elect, register
from .offsets import ask_offset


async def test_committed_records_are_read_in_the_window(tmp_path: Path) -> None:
    """207-04: LATEST is refused, what lies below the watermark is read as ever; then both go on.

    207-09: it goes on when the leader before has shown by a fetch that it knows.
    """
    async with (
        running(tmp_path, leader_metadata_staleness_max_ms=60_000) as bench,
        bench.connect() as client,
        bench.connect() as consumer,
    ):
        register(bench)
        create_replicated(bench, leader=2)
        partition = bench.broker.replicas.get("t", 0)
        assert partition is not None
        for offset in range(6):
            partition.as_follower(0).append(from_leader(offset), 4, 0)
        elect(bench, 1)
        assert (partition.high_watermark, partition.as_leader().epoch_start_offset) == (4, 6)

        assert (await ask_offset(client, -1, 5)).error_code == 78
        for offset in range(4):
            data = await read(client, fetch(wanted(offset)), 11)
            assert (data.error_code, data.high_watermark) == (0, 4)
            assert base_offsets(data.records) == list(range(offset, 4))

        for broker_id in (2, 3):
            await Follower(client, broker_id).fetch(6)
        assert partition.high_watermark == 6
        end = asyncio.ensure_future(ask_offset(consumer, -1, 5))
        await Follower(client, 3).fetch(6, current_leader_epoch=1)
        assert not end.done()
        await Follower(client, 2).fetch(6, current_leader_epoch=1)
        assert (await end).offset == 6
        data = await read(client, fetch(wanted(3)), 11)
        assert base_offsets(data.records) == [3, 4, 5]


async def test_who_is_answered_in_the_window(tmp_path: Path) -> None:
    """207-01, 207-02: consumers are refused; a follower, an id of -2, and consumers of a topic
    that may be elected unclean get what there is, and so does a partition beside it."""
    async with running(tmp_path) as bench, bench.connect() as client:
        register(bench)
        create_replicated(bench, leader=2)
        partition = bench.broker.replicas.get("t", 0)
        assert partition is not None
        for offset in range(6):
            partition.as_follower(0).append(from_leader(offset), 4, 0)
        elect(bench, 1)
        bench.create_topic("beside")

        topics = [
            ListOffsetsTopic(name=name, partitions=[ListOffsetsPartition(timestamp=-1)])
            for name in ("t", "beside")
        ]
        answer = await client.ask(ListOffsetsRequest(replica_id=-1, topics=topics), 5)
        rows = [topic.partitions[0] for topic in answer.topics]
        assert [(row.error_code, row.offset) for row in rows] == [(78, -1), (0, 0)]

        assert (await ask_offset(client, -1, 5, replica_id=2)).offset == 6
        assert (await ask_offset(client, -1, 5, replica_id=-2)).offset == 4

        bench.apply(
            ConfigRecord(
                resource_type=RESOURCE_TOPIC,
                resource_name="t",
                name="unclean.leader.election.enable",
                value="true",
            )
        )
        row = await ask_offset(client, -1, 5)
        assert (row.error_code, row.offset) == (0, 4)


async def test_who_comes_before_the_slice_of_a_change(tmp_path: Path) -> None:
    """951-07: a broker whose metadata says that it leads does so for the first who asks."""
    async with running(tmp_path) as bench, bench.connect() as client:
        register(bench)
        create_replicated(bench, leader=2, isr=(1, 2))
        image = bench.metadata.image
        record = PartitionChangeRecord(partition_id=0, topic_id=TOPIC_ID, leader=1)
        image.apply(record, image.last_offset + 1)
        partition = bench.broker.replicas.get("t", 0)
        assert partition is not None
        assert not partition.is_leader
        assert (await send(client, batch(b"a"), acks=1)).error_code == 0
        assert (partition.is_leader, partition.leader_epoch) == (True, 1)
        bench.broker.replicas.on_image(image, image.take_changes())
        assert partition.log.log_end_offset == 1
        elect(bench, 2)
        assert (await send(client, batch(b"a"), acks=1)).error_code == 6


async def test_a_follower_comes_before_the_slice_of_a_change(tmp_path: Path) -> None:
    """951-07, 279-05: the same for a follower, which knows of the new epoch already."""
    async with running(tmp_path) as bench, bench.connect() as client:
        register(bench)
        create_replicated(bench, leader=2)
        image = bench.metadata.image
        record = PartitionChangeRecord(partition_id=0, topic_id=TOPIC_ID, leader=1)
        image.apply(record, image.last_offset + 1)
        row = await Follower(client, 2).fetch(0, current_leader_epoch=1)
        assert row.error_code == 0
        assert (await Follower(client, 3).fetch(0, current_leader_epoch=2)).error_code == 75
