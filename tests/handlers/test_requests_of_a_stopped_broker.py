"""A broker stops while requests wait for followers: with each ends all that works for it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from kit.broker import Bench, running
from kit.waiting import until

from barnabas.broker.core.cluster.topic_image import GROUPS_TOPIC
from barnabas.broker.serving.waiting import SLICE
from barnabas.protocol.message import Message
from barnabas.protocol.messages.offset_commit_request import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
)
from barnabas.protocol.messages.partition_record import PartitionRecord
from barnabas.protocol.messages.topic_record import TopicRecord
from barnabas.protocol.messages.write_txn_markers_request import (
    WritableTxnMarker,
    WritableTxnMarkerTopic,
    WriteTxnMarkersRequest,
)

from .clusters import BROKER_IDS, register

MARKERS = 3
OFFSETS = SLICE + 1
"""So many are committed in two parts."""


def markers() -> Message:
    """The ends of some transactions in the partition."""
    return WriteTxnMarkersRequest(
        markers=[
            WritableTxnMarker(
                producer_id=number,
                producer_epoch=0,
                topics=[WritableTxnMarkerTopic(name="waits", partition_indexes=[0])],
            )
            for number in range(MARKERS)
        ]
    )


def commits() -> Message:
    """Offsets of a simple consumer."""
    partitions = [
        OffsetCommitRequestPartition(partition_index=index, committed_offset=1)
        for index in range(OFFSETS)
    ]
    return OffsetCommitRequest(
        group_id="g", topics=[OffsetCommitRequestTopic(name="plain", partitions=partitions)]
    )


def place(bench: Bench, name: str, brokers: tuple[int, ...], partitions: int = 1) -> None:
    """A topic on these brokers, led by the first; those that are not this one never fetch."""
    topic_id = name.encode()[:16].ljust(16)
    bench.apply(
        TopicRecord(name=name, topic_id=topic_id),
        *(
            PartitionRecord(
                partition_id=index,
                topic_id=topic_id,
                replicas=list(brokers),
                isr=list(brokers),
                leader=brokers[0],
                leader_epoch=0,
                partition_epoch=0,
            )
            for index in range(partitions)
        ),
    )


@pytest.mark.parametrize(
    ("topic", "request_", "version", "records"),
    [("waits", markers(), 1, MARKERS), (GROUPS_TOPIC, commits(), 9, OFFSETS)],
    ids=["markers", "commits"],
)
async def test_no_task_goes_on(
    tmp_path: Path, topic: str, request_: Message, version: int, records: int
) -> None:
    """Goal: whoever stops leaves nothing behind (I-30); the parts of a request are no exception."""
    before = asyncio.all_tasks()
    async with running(tmp_path, offsets_topic_num_partitions=1) as bench:
        async with bench.connect() as client:
            register(bench)
            place(bench, "plain", (2,), OFFSETS)
            place(bench, topic, BROKER_IDS)
            partition = bench.broker.replicas.get(topic, 0)
            assert partition is not None
            client.send(request_, version)
            await until(lambda: partition.log.log_end_offset >= records)
        assert partition.high_watermark == 0
    assert asyncio.all_tasks() == before
