"""Who leads instead (KIP-951), in the answers to Fetch and Produce."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from kit.batches import batch
from kit.broker import running
from kit.fetching import fetch, wanted
from kit.producing import produce
from kit.waiting import until

from barnabas.protocol.messages.api_versions_request import ApiVersionsRequest
from barnabas.protocol.messages.partition_change_record import PartitionChangeRecord

from .clusters import TOPIC_ID, create_replicated, elect, register


def hint(row: Any) -> tuple[int, int]:
    return row.current_leader.leader_id, row.current_leader.leader_epoch


def addresses(answer: Any) -> list[tuple[int, str, int, str | None]]:
    return [(one.node_id, one.host, one.port, one.rack) for one in answer.node_endpoints]


@pytest.mark.parametrize("version", [11, 12, 15, 16, 18])
async def test_fetch(tmp_path: Path, version: int) -> None:
    """951-01, C20: the leader from version 12, its address on this listener from 16, once."""
    async with running(tmp_path) as bench, bench.connect() as client:
        register(bench, b3="r3")
        create_replicated(bench)
        elect(bench, 3)
        topic: str | bytes = TOPIC_ID if version >= 13 else "t"
        # A consumer may read a follower: its epoch is what is wrong.
        part = wanted(current_leader_epoch=0)
        answer = await client.ask(fetch(part, topic=topic), version)
        row = answer.responses[0].partitions[0]
        assert row.error_code == 74
        assert hint(row) == ((3, 1) if version >= 12 else (-1, -1))
        assert addresses(answer) == ([(3, "b3", 9003, "r3")] if version >= 16 else [])


@pytest.mark.parametrize("version", [12, 16])
async def test_kafka_python_is_told_no_leader_without_its_address(
    tmp_path: Path, version: int
) -> None:
    """951-01, C20: it would ask a broker that it does not know, and stop reading for good."""
    async with running(tmp_path) as bench, bench.connect() as client:
        register(bench)
        create_replicated(bench)
        elect(bench, 3)
        itself = ApiVersionsRequest(
            client_software_name="kafka-python", client_software_version="3.0.12"
        )
        assert (await client.ask(itself, 4)).error_code == 0
        topic: str | bytes = TOPIC_ID if version >= 13 else "t"
        answer = await client.ask(fetch(wanted(current_leader_epoch=0), topic=topic), version)
        row = answer.responses[0].partitions[0]
        assert row.error_code == 74
        assert hint(row) == ((3, 1) if version >= 16 else (-1, -1))


@pytest.mark.parametrize("version", [3, 9, 10, 11, 12, 13])
async def test_produce(tmp_path: Path, version: int) -> None:
    """951-02: error 6 names the leader and its address from version 10 on."""
    async with running(tmp_path) as bench, bench.connect() as client:
        register(bench)
        create_replicated(bench, leader=2)
        topic: str | bytes = TOPIC_ID if version >= 13 else "t"
        answer = await client.ask(produce(batch(b"v"), topic=topic, acks=1), version)
        row = answer.responses[0].partition_responses[0]
        assert row.error_code == 6
        assert hint(row) == ((2, 0) if version >= 10 else (-1, -1))
        assert addresses(answer) == ([(2, "b2", 9002, None)] if version >= 10 else [])


@pytest.mark.parametrize("version", [11, 13])
async def test_a_leader_that_is_lost_while_one_waits(tmp_path: Path, version: int) -> None:
    """951-02: who waits for acks=all (on the hot path too) is told who leads now."""
    async with running(tmp_path) as bench, bench.connect() as client:
        register(bench)
        create_replicated(bench)
        topic: str | bytes = TOPIC_ID if version >= 13 else "t"
        client.send(produce(batch(b"v"), topic=topic), version)
        partition = bench.broker.replicas.get("t", 0)
        assert partition is not None
        await until(lambda: partition.log.log_end_offset == 1)
        elect(bench, 2)
        answer = await asyncio.wait_for(client.receive(0, version), 5)
        row = answer.responses[0].partition_responses[0]
        assert (row.error_code, hint(row)) == (6, (2, 1))
        assert addresses(answer) == [(2, "b2", 9002, None)]
        assert bench.broker.metrics.produce_requests == 1, "it came by the hot path"


async def test_partitions_that_are_elsewhere(tmp_path: Path) -> None:
    """951-01, 951-02: without a replica here the metadata says who leads."""
    async with running(tmp_path) as bench, bench.connect() as client:
        register(bench)
        create_replicated(bench, leader=2)
        bench.apply(
            PartitionChangeRecord(partition_id=0, topic_id=TOPIC_ID, replicas=[2, 3], isr=[2, 3])
        )
        assert bench.broker.replicas.get("t", 0) is None
        answer = await client.ask(produce(batch(b"v"), acks=1), 11)
        row = answer.responses[0].partition_responses[0]
        assert (row.error_code, hint(row)) == (6, (2, 0))
        answer = await client.ask(fetch(wanted(), topic=TOPIC_ID), 16)
        row = answer.responses[0].partitions[0]
        assert (row.error_code, hint(row)) == (6, (2, 0))
        assert addresses(answer) == [(2, "b2", 9002, None)]


async def test_a_leader_without_an_address(tmp_path: Path) -> None:
    """951-03: known, but fenced: it is named, and no address is given."""
    async with running(tmp_path) as bench, bench.connect() as client:
        register(bench, fenced=(2,))
        create_replicated(bench, leader=2)
        answer = await client.ask(produce(batch(b"v"), acks=1), 11)
        assert hint(answer.responses[0].partition_responses[0]) == (2, 0)
        assert addresses(answer) == []
        elect(bench, -1)
        answer = await client.ask(produce(batch(b"v"), acks=1), 11)
        assert hint(answer.responses[0].partition_responses[0]) == (-1, -1)


async def test_nothing_else_carries_a_hint(tmp_path: Path) -> None:
    """951-04: success and other errors are the same bytes as in the version before."""
    async with running(tmp_path) as bench, bench.connect() as client:
        register(bench)
        create_replicated(bench, isr=(1,))
        answers = {}
        for version in (9, 10):
            client.send(produce(batch(b"v", timestamp=5), acks=1), version)
            answers[version] = bytearray(await client.read_frame())
        # Correlation id, offset and log end differ; nothing is longer.
        assert len(answers[9]) == len(answers[10])
        for version in (9, 10):
            client.send(produce(batch(b"v"), acks=1, index=7), version)
            answers[version] = bytearray(await client.read_frame())
        assert answers[9][4:] == answers[10][4:], "error 3"
        for version in (15, 16):
            client.send(fetch(wanted(77), topic=TOPIC_ID), version)
            answers[version] = bytearray(await client.read_frame())
        assert answers[15][4:] == answers[16][4:], "error 1"
        for version in (15, 16):
            client.send(fetch(wanted(), topic=TOPIC_ID), version)
            answers[version] = bytearray(await client.read_frame())
        assert answers[15][4:] == answers[16][4:], "records"
