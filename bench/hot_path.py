"""The way of a one-record Produce through a real node, but without a socket.

What is left is the broker's own work and one write to the page cache: the part of a request that
Python or a compiler can change. The kernel's share of sockets is in `bench.load`'s figures.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import wire

TOPIC = "hot"
NOW_MS = 1_780_000_000_000


class NoSocket(asyncio.Transport):
    """A transport that keeps the last answer and sends nothing."""

    def __init__(self) -> None:
        super().__init__({"peername": ("127.0.0.1", 1), "sockname": ("127.0.0.1", 2)})
        self.last: Any = b""

    def write(self, data: Any) -> None:
        self.last = data

    def get_write_buffer_size(self) -> int:
        return 0

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        del high, low

    def pause_reading(self) -> None: ...
    def resume_reading(self) -> None: ...
    def abort(self) -> None: ...
    def close(self) -> None: ...


def create_topic(port: int) -> None:
    """Have the node create the topic by asking for it."""
    with wire.Wire(port) as connection:
        while not connection.topic(TOPIC, create=True).is_ready():
            pass


async def produce_cost(directory: Path, measure: Callable[[Callable[[], object]], float]) -> float:
    """What `measure` says of one request of 100 B, from receive buffer to answer."""
    from barnabas.broker.node import Node
    from barnabas.broker.server.connection import Connection
    from barnabas.broker.settings import load_config

    data = str(directory).replace("\\", "/")
    settings = (f"log.dirs={data}", "listeners=PLAINTEXT://127.0.0.1:0", "num.partitions=1")
    node = await Node.start(load_config(assignments=settings))
    try:
        await asyncio.get_running_loop().run_in_executor(None, create_topic, node.port)
        transport = NoSocket()
        connection = Connection(node.broker.listeners[0])
        connection.connection_made(transport)
        batch = wire.one_record_batch(b"v" * 100, NOW_MS)
        request = wire.produce_request(TOPIC, 0, batch, 7)
        size = len(request)

        def feed() -> None:
            connection.get_buffer(-1)[:size] = request
            connection.buffer_updated(size)

        feed()
        expected = wire.produce_success_prefix(TOPIC, 0, 7)
        if not bytes(transport.last).startswith(expected, 4):
            raise RuntimeError("the node did not take the request")
        cost = measure(feed)
        connection.connection_lost(None)
        return cost
    finally:
        await node.stop()
