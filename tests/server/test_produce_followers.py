"""Produce answers that wait for a follower: one batch a request, on the hot path."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from kit.batches import batch
from kit.broker import NODE_ID, Bench, running
from kit.waiting import until

from barnabas.broker.core.replication.partition import Partition
from barnabas.broker.handlers.produce import handler as handlers_produce
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.partition_record import PartitionRecord
from barnabas.protocol.messages.produce_request import (
    PartitionProduceData,
    ProduceRequest,
    TopicProduceData,
)
from barnabas.protocol.messages.register_broker_record import RegisterBrokerRecord
from barnabas.protocol.messages.topic_record import TopicRecord

FOLLOWER = NODE_ID + 1
EPOCH = 7
TOPIC_ID = b"one and a second"
PRODUCE = 0


def produce(*values: bytes, timeout_ms: int = 60_000) -> ProduceRequest:
    data = PartitionProduceData(index=0, records=batch(*values))
    return ProduceRequest(
        acks=-1,
        timeout_ms=timeout_ms,
        topic_data=[TopicProduceData(name="t", partition_data=[data])],
    )


def row_of(answer: Any) -> Any:
    (topic,) = answer.responses
    assert topic.name == "t"
    (row,) = topic.partition_responses
    return row


def create_topic(bench: Bench) -> Partition:
    """A partition with a follower in sync, which fetches when a test says so."""
    members = [NODE_ID, FOLLOWER]
    bench.apply(
        RegisterBrokerRecord(broker_id=FOLLOWER, broker_epoch=EPOCH),
        TopicRecord(name="t", topic_id=TOPIC_ID),
        PartitionRecord(
            partition_id=0,
            topic_id=TOPIC_ID,
            replicas=members,
            isr=members,
            leader=NODE_ID,
            leader_epoch=0,
            partition_epoch=0,
        ),
    )
    partition = bench.broker.replicas.get("t", 0)
    assert partition is not None
    return partition


def fetch_from(partition: Partition, offset: int) -> None:
    """The follower holds everything below `offset`."""
    partition.as_leader().note_fetch(FOLLOWER, EPOCH, offset, 0, 0.0)


@pytest.mark.parametrize("version", range(3, 12))
async def test_acknowledged_by_a_follower(tmp_path: Path, version: int) -> None:
    """ENV-08: two answers wait for the same follower, and leave in order as it fetches."""
    async with running(tmp_path) as bench, bench.connect() as client:
        partition = create_topic(bench)
        client.send(produce(b"a", b"b"), version)
        client.send(produce(b"c"), version)
        await until(lambda: partition.log.log_end_offset == 3)
        fetch_from(partition, 2)
        first = row_of(await client.receive(PRODUCE, version))
        assert partition.log.high_watermark == 2
        fetch_from(partition, 3)
        second = row_of(await client.receive(PRODUCE, version))
        assert (first.error_code, first.base_offset) == (0, 0)
        assert (second.error_code, second.base_offset) == (0, 2)
        assert second.log_append_time_ms == -1
        assert second.log_start_offset == (0 if version >= 5 else -1)


async def test_a_follower_that_is_late(tmp_path: Path) -> None:
    """Goal: after the request's own timeout the answer says so, and where the batch lies."""
    async with running(tmp_path) as bench, bench.connect() as client:
        partition = create_topic(bench)
        row = row_of(await client.ask(produce(b"a", timeout_ms=5), 9))
        assert (row.error_code, row.base_offset) == (ErrorCode.REQUEST_TIMED_OUT, 0)
        fetch_from(partition, 1)  # the late acknowledgement finds nobody who waits
        client.send(produce(b"b"), 9)
        await until(lambda: partition.log.log_end_offset == 2)
        fetch_from(partition, 2)
        row = row_of(await client.receive(PRODUCE, 9))
        assert (row.error_code, row.base_offset) == (0, 1)


@pytest.mark.parametrize("version", [9, 10])
async def test_leadership_goes_while_a_batch_waits(tmp_path: Path, version: int) -> None:
    """951-02: who waited is told that another leads, since version 10 with its id and epoch."""
    async with running(tmp_path) as bench, bench.connect() as client:
        partition = create_topic(bench)
        client.send(produce(b"a"), version)
        await until(lambda: partition.log.log_end_offset == 1)
        bench.new_epoch(TOPIC_ID, leader=FOLLOWER)
        row = row_of(await client.receive(PRODUCE, version))
        assert (row.error_code, row.base_offset) == (ErrorCode.NOT_LEADER_OR_FOLLOWER, -1)
        hint = (row.current_leader.leader_id, row.current_leader.leader_epoch)
        assert hint == ((FOLLOWER, 1) if version >= 10 else (-1, -1))


async def test_a_client_that_does_not_wait(tmp_path: Path) -> None:
    """Goal: an acknowledgement for a connection that is gone disturbs nobody."""
    async with running(tmp_path) as bench:
        partition = create_topic(bench)
        async with bench.connect() as client:
            client.send(produce(b"a"), 9)
            await until(lambda: partition.log.log_end_offset == 1)
        await until(lambda: not len(bench.broker.connections))
        fetch_from(partition, 1)
        assert partition.log.high_watermark == 1


async def test_who_waits_on_the_general_road_keeps_no_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ENV-13: once appended, a request waits for its followers without what it brought."""
    requests: list[ProduceRequest] = []
    refused = PartitionProduceData(index=99, records=b"x" * 100_000)
    begin = handlers_produce._Produce.__init__

    def note(self: Any, request: ProduceRequest, context: Any) -> None:
        requests.append(request)
        begin(self, request, context)

    monkeypatch.setattr(handlers_produce._Produce, "__init__", note)
    async with running(tmp_path) as bench, bench.connect() as client:
        partition = create_topic(bench)
        partition.as_leader().is_plain = False  # as with LogAppendTime: not for the hot path
        for _ in range(3):
            request = produce(b"x" * 100_000)
            request.topic_data[0].partition_data.append(refused)
            client.send(request, 9)
        await until(lambda: partition.log.log_end_offset == 3)
        assert len(requests) == 3
        for request in requests:
            assert [data.records for data in request.topic_data[0].partition_data] == [None, None]
        fetch_from(partition, 3)
        for number in range(3):
            (topic,) = (await client.receive(PRODUCE, 9)).responses
            row, other = topic.partition_responses
            assert (row.error_code, row.base_offset) == (0, number)
            assert other.error_code == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
