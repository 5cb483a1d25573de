"""A node that stops leaves no connection open, whoever reads and whoever comes late."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from kit.batches import batch
from kit.broker import running
from kit.producing import send
from kit.waiting import until

from barnabas.broker.server.connection import Connection
from barnabas.protocol.messages.fetch_request import FetchPartition, FetchRequest, FetchTopic

from .honest_clients import many_others_are_served

FETCH = 1

ANSWERS_BYTES = 16 << 20
"""More than the kernel holds for a reader that does not read."""


class LateTransport(asyncio.Transport):
    """Of a connection that the kernel had accepted before its listener closed."""

    def __init__(self) -> None:
        super().__init__()
        self.is_aborted = False
        self.times_closed = 0
        self.protocol: Connection | None = None

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return ("127.0.0.1", 1) if name in ("peername", "sockname") else default

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        """Nothing is written."""

    def close(self) -> None:
        self.times_closed += 1

    def abort(self) -> None:
        self.is_aborted = True
        if self.protocol is not None:
            self.protocol.connection_lost(None)


async def test_answers_that_nobody_reads_hold_no_socket_open(tmp_path: Path) -> None:
    """A client that reads nothing is cut off when the time for answers is over."""
    async with running(tmp_path) as bench, bench.connect() as client:
        bench.create_topic("t")
        async with bench.connect() as other:
            for _ in range(4):
                assert (await send(other, batch(b"x" * 900_000))).error_code == 0
        partition = FetchPartition(partition=0, partition_max_bytes=1 << 22)
        fetch = FetchRequest(topics=[FetchTopic(topic="t", partitions=[partition])])
        for _ in range(ANSWERS_BYTES >> 20):
            client.send(fetch, 11)
        connections = bench.broker.connections
        await until(lambda: bench.broker.metrics.requests[FETCH] > 0)
        await many_others_are_served(bench)
        for listener in bench.broker.listeners:
            await listener.close()
        assert len(connections)
        await connections.drain(0.0)
        await asyncio.sleep(0)  # in which the loop tells the connection of its end
        assert not len(connections)


async def test_who_is_accepted_after_the_end_is_cut_off(tmp_path: Path) -> None:
    """asyncio makes the connection some turns after the kernel took it: too late for a drain."""
    async with running(tmp_path) as bench:
        connections = bench.broker.connections
        await connections.drain(0.0)
        transport = LateTransport()
        transport.protocol = Connection(bench.broker.listeners[0])
        transport.protocol.connection_made(transport)
        assert transport.is_aborted
        assert not len(connections)


async def test_a_transport_is_closed_once(tmp_path: Path) -> None:
    """asyncio's TLS transport forgets its connection when it is closed again, and then cannot be
    aborted: who failed to log in and reads nothing would hold a socket open."""
    async with running(tmp_path) as bench:
        transport = LateTransport()
        transport.protocol = Connection(bench.broker.listeners[0])
        transport.protocol.connection_made(transport)
        transport.protocol.link.end()
        transport.protocol.link.end()
        assert transport.times_closed == 1
        transport.protocol.link.cut_off()
        assert transport.is_aborted
