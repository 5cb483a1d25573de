"""The front door: frames that are no frames, floods, silence, and clients that do not read.

Rules ENV-01, ENV-05, ENV-06, ENV-08, ENV-12; F-7, F-8 and F-10, small.
"""

from __future__ import annotations

import asyncio
import random
import struct
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from kit.batches import batch
from kit.broker import running
from kit.fetching import long_poll
from kit.producing import produce, send
from kit.raw_client import RawClient
from kit.waiting import until

from barnabas.protocol.messages.api_versions_request import ApiVersionsRequest
from barnabas.protocol.messages.fetch_request import FetchPartition, FetchRequest, FetchTopic
from barnabas.protocol.messages.init_producer_id_request import InitProducerIdRequest
from barnabas.protocol.messages.list_offsets_request import (
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsTopic,
)

from .honest_clients import honest_client_is_served, many_others_are_served

LENGTHS = [
    pytest.param(struct.pack(">i", -1), id="-1"),
    pytest.param(struct.pack(">i", 0), id="0"),
    pytest.param(struct.pack(">i", 1), id="1"),
    pytest.param(struct.pack(">i", 7), id="7"),
    pytest.param(struct.pack(">i", 104_857_601), id="cap+1"),
    pytest.param(struct.pack(">i", 2**31 - 1), id="2^31-1"),
    pytest.param(struct.pack(">i", 0x15030300), id="TLS alert"),
    pytest.param(b"GET ", id="GET"),
    pytest.param(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", id="HTTP"),
    pytest.param(b"\xff" * 100, id="ones"),
    pytest.param(struct.pack(">ihhi", 1000, 999, 0, 1), id="unknown key"),
    pytest.param(struct.pack(">ihhi", 1000, 0, 2, 1), id="Produce 2"),
    pytest.param(struct.pack(">ihhi", 1000, 1, 99, 1), id="Fetch 99"),
    pytest.param(struct.pack(">ihhi", 9_000_000, 1, 11, 1), id="Fetch of 9 MB"),
    pytest.param(struct.pack(">ihhi", 600_000, 18, 0, 1), id="ApiVersions of 600 kB"),
]


@pytest.mark.each_loop
@pytest.mark.parametrize("sent", LENGTHS)
async def test_impossible_heads_are_closed_at_once(tmp_path: Path, sent: bytes) -> None:
    """ENV-01, ENV-05, ENV-12, F-7: closed by the head alone, with a reason, nothing allocated."""
    async with running(tmp_path) as bench, bench.connect() as client:
        await honest_client_is_served(bench)
        client.writer.write(sent)
        assert await client.closed(1.0)
        assert len(bench.log.events("connection closed")) == 1
        await honest_client_is_served(bench)


async def test_largest_frames_are_waited_for(tmp_path: Path) -> None:
    """F-7: a Produce of exactly the cap is awaited, and costs no memory before it comes."""
    async with running(tmp_path) as bench, bench.connect() as client:
        await honest_client_is_served(bench)
        tracemalloc.start()
        try:
            client.writer.write(struct.pack(">ihhi", 104_857_600, 0, 9, 1) + b"x" * 1000)
            assert not await client.closed(0.2)
            assert tracemalloc.get_traced_memory()[1] < 2_000_000
        finally:
            tracemalloc.stop()


async def test_random_garbage(tmp_path: Path) -> None:
    """F-7: 200 connections with random bytes; every one is closed, the log stays untouched."""
    rng = random.Random(7)
    async with running(tmp_path) as bench:
        bench.create_topic("t")
        for _ in range(200):
            async with bench.connect() as client:
                client.writer.write(rng.randbytes(rng.randrange(4, 300)))
                client.writer.write_eof()
                assert await client.closed()
        assert len(bench.broker.connections) == 0
        assert bench.broker.replicas.get("t", 0).log.size_bytes == 0  # type: ignore[union-attr]
        # At most one line a second and peer, and no bytes of theirs in it.
        assert 1 <= len(bench.log.events("connection closed")) <= 10
        await honest_client_is_served(bench)


async def test_bodies_that_do_not_decode_are_closed(tmp_path: Path) -> None:
    """ENV-06: trailing bytes, counts beyond what is there, negative lengths."""
    good = FetchRequest(topics=[FetchTopic(topic="t", partitions=[FetchPartition()])])
    async with running(tmp_path) as bench:
        bench.create_topic("t")
        for damage in ("trailing", "count", "cut"):
            async with bench.connect() as client:
                frame = bytearray(client.frame(good, 4))
                if damage == "trailing":
                    frame += b"\0\0"
                elif damage == "count":
                    at = frame.index(b"\0\0\0\1\0\1t")
                    frame[at : at + 4] = b"\x7f\xff\xff\xff"
                else:
                    del frame[-3:]
                frame[:4] = struct.pack(">i", len(frame) - 4)
                client.writer.write(bytes(frame))
                assert await client.closed(), damage
        await honest_client_is_served(bench)


@pytest.mark.each_loop
async def test_every_split_of_a_request_works(tmp_path: Path) -> None:
    """Goal: a frame may come in any two parts, and three frames in one."""
    async with running(tmp_path) as bench, bench.connect() as client:
        bench.create_topic("t")
        frame = client.frame(produce(batch(b"v")), 9)
        for cut in range(1, len(frame)):
            client.writer.write(frame[:cut])
            await client.writer.drain()
            await asyncio.sleep(0)
            client.writer.write(frame[cut:])
            await client.receive(0, 9)
        client.writer.write(frame * 3)
        for number in range(3):
            answer = await client.receive(0, 9)
            row = answer.responses[0].partition_responses[0]
            assert row.base_offset == len(frame) - 1 + number


@pytest.mark.each_loop
@pytest.mark.parametrize("size", [5_000, 70_000, 300_000, 1_000_000])
async def test_large_frames_in_a_row(tmp_path: Path, size: int) -> None:
    """Goal: frames larger than any read arrive intact, whatever the buffer did meanwhile."""
    async with running(tmp_path) as bench, bench.connect() as client:
        bench.create_topic("t")
        sent = [batch(bytes([n]) * (size + n)) for n in range(8)]
        for one in sent:
            client.send(produce(one), 9)
            client.send(ApiVersionsRequest(), 0)
        for number in range(8):
            answer = await client.receive(0, 9)
            row = answer.responses[0].partition_responses[0]
            assert (row.error_code, row.base_offset) == (0, number)
            await client.receive(18, 0)
        log = bench.broker.replicas.get("t", 0).log  # type: ignore[union-attr]
        assert log.size_bytes == sum(map(len, sent))


@pytest.mark.each_loop
async def test_half_frames_are_closed(tmp_path: Path) -> None:
    """F-8: bytes that trickle in do not prolong a frame; an honest client does not notice."""
    async with running(tmp_path, connections_half_frame_timeout_ms=200) as bench:
        slow = [bench.connect() for _ in range(20)]
        for client in slow:
            await client.__aenter__()
        frames = [client.frame(produce(batch(b"v" * 100)), 9) for client in slow]

        async def trickle(client: RawClient, frame: bytes) -> None:
            for byte in frame:
                client.writer.write(bytes([byte]))
                await asyncio.sleep(0.02)

        tasks = [
            asyncio.create_task(trickle(client, frame))
            for client, frame in zip(slow, frames, strict=True)
        ]
        assert all(await asyncio.gather(*(client.closed(3.0) for client in slow)))
        await honest_client_is_served(bench)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for client in slow:
            await client.__aexit__()
        assert "half a frame" in str(bench.log.events("connection closed")[0]["reason"])


@pytest.mark.each_loop
async def test_idle_connections_are_closed(tmp_path: Path) -> None:
    """Goal: connections.max.idle.ms; who does something stays."""
    async with (
        running(tmp_path, connections_max_idle_ms=200) as bench,
        bench.connect() as idle,
        bench.connect() as busy,
    ):
        await idle.ask(ApiVersionsRequest(), 0)
        closed = asyncio.create_task(idle.closed(3.0))
        while not closed.done():
            await busy.ask(ApiVersionsRequest(), 0)
            await asyncio.sleep(0.01)
        assert closed.result()
        await busy.ask(ApiVersionsRequest(), 0)


@pytest.mark.each_loop
async def test_connections_are_bounded(tmp_path: Path) -> None:
    """Goal: max.connections and max.connections.per.ip close what is too many."""
    for setting in ("max_connections", "max_connections_per_ip"):
        settings: dict[str, Any] = {setting: 5}
        async with running(tmp_path / setting, **settings) as bench:
            clients = [bench.connect() for _ in range(5)]
            for client in clients:
                await client.__aenter__()
                await client.ask(ApiVersionsRequest(), 0)
            async with bench.connect() as one_more:
                assert await one_more.closed(1.0)
            await clients[0].ask(ApiVersionsRequest(), 0)
            await clients[1].__aexit__()
            connections = bench.broker.connections
            await until(lambda: len(connections) <= 4)  # noqa: B023 - awaited at once
            await honest_client_is_served(bench)
            for client in clients:
                await client.__aexit__()


@pytest.mark.each_loop
async def test_few_requests_in_work(tmp_path: Path) -> None:
    """Decision 11: queued.max.requests holds for the node; everybody is served in the end."""
    async with (
        running(tmp_path, queued_max_requests=1) as bench,
        bench.connect() as first,
        bench.connect() as second,
    ):
        request = InitProducerIdRequest(transactional_id=None, transaction_timeout_ms=1)
        for _ in range(50):
            first.send(request, 1)
            second.send(request, 1)
        ids = []
        for _ in range(50):
            ids.append((await first.receive(22, 1)).producer_id)
            ids.append((await second.receive(22, 1)).producer_id)
        assert len(set(ids)) == 100


@pytest.mark.each_loop
async def test_requests_behind_a_waiting_one_are_worked_on_but_not_endlessly(
    tmp_path: Path,
) -> None:
    """ENV-08, F-10: work goes on behind a long poll up to the limit; then reading stops."""
    async with running(tmp_path, connections_max_inflight_requests=50) as bench:
        bench.create_topic("idle")
        bench.create_topic("t")
        log = bench.broker.replicas.get("t", 0).log  # type: ignore[union-attr]
        async with bench.connect() as client:
            client.send(long_poll(), 11)
            for number in range(1000):
                client.send(produce(batch(b"%d" % number)), 9)
            await until(lambda: log.log_end_offset >= 49)
            async with bench.connect() as other:
                await other.ask(ApiVersionsRequest(), 0)
                assert log.log_end_offset == 49
                await send(other, batch(b"wake"), topic="idle")
            await client.receive(1, 11)
            for number in range(1000):
                answer = await client.receive(0, 9)
                assert answer.responses[0].partition_responses[0].base_offset == number


@pytest.mark.each_loop
async def test_ten_thousand_requests_without_reading(tmp_path: Path) -> None:
    """F-10: the client reads nothing for long; back-pressure holds, order is kept."""
    async with running(tmp_path) as bench, bench.connect() as client:
        bench.create_topic("t")
        count = 10_000
        request = ListOffsetsRequest(
            topics=[ListOffsetsTopic(name="t", partitions=[ListOffsetsPartition(timestamp=-1)])]
        )

        async def write() -> None:
            for _ in range(count):
                client.send(request, 5)
                await client.writer.drain()

        writing = asyncio.create_task(write())
        await many_others_are_served(bench)
        for number in range(count):
            frame = await client.read_frame()
            assert int.from_bytes(frame[:4], "big") == number + 1
        await writing


@pytest.mark.each_loop
async def test_who_never_reads_is_bounded(tmp_path: Path) -> None:
    """F-8: answers pile up in the broker only to a limit, then nothing more is worked on."""
    async with running(tmp_path) as bench, bench.connect() as client:
        bench.create_topic("t")
        async with bench.connect() as other:
            for _ in range(4):
                assert (await send(other, batch(b"x" * 900_000))).error_code == 0
        fetch = long_poll(0)
        fetch.topics[0].topic = "t"
        fetch.topics[0].partitions[0].partition_max_bytes = 1 << 22
        for _ in range(200):
            client.send(fetch, 11)
        await many_others_are_served(bench)
        assert bench.broker.metrics.requests[1] < 50
        await honest_client_is_served(bench)


@pytest.mark.each_loop
async def test_sockets_leave_nothing_behind(tmp_path: Path) -> None:
    """F-9, small: 300 connections come and go at random bytes; nothing of them stays."""
    rng = random.Random(1)
    async with running(tmp_path) as bench:
        bench.create_topic("t")
        bench.create_topic("idle")
        for _ in range(300):
            async with bench.connect() as client:
                client.send(long_poll(), 11)
                frame = client.frame(produce(batch(b"v")), 9)
                client.writer.write(frame[: rng.randrange(len(frame) + 1)])
                await client.writer.drain()
                if rng.random() < 0.5:
                    client.writer.transport.abort()
        await until(lambda: not len(bench.broker.connections))
        partition = bench.broker.replicas.get("idle", 0)
        assert partition is not None
        assert partition.waiters.parked_count == 0
        await honest_client_is_served(bench)
