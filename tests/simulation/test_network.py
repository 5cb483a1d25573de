"""The simulated network: streams in order, cuts that hold bytes back, resets."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Coroutine
from random import Random
from typing import Any

import pytest

from barnabas.testing.simulation.incarnation import Incarnation
from barnabas.testing.simulation.loop import SimulatedLoop
from barnabas.testing.simulation.network import SimulatedNetwork

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore:coroutine")

Scenario = Callable[[SimulatedLoop, SimulatedNetwork], Coroutine[Any, Any, None]]


def simulate(scenario: Scenario, seed: int = 3) -> None:
    loop = SimulatedLoop(Random(seed))
    network = SimulatedNetwork(loop, Random(seed + 1))
    gc.disable()
    try:
        loop.run_until_complete(scenario(loop, network))
    finally:
        loop.close()
        gc.enable()


class Echo(asyncio.Protocol):
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.transport.write(data)


class Collect(asyncio.BufferedProtocol):
    """Receives into a small buffer of its own, as the broker does."""

    def __init__(self) -> None:
        self.received = bytearray()
        self.lost: list[Exception | None] = []
        self._buffer = bytearray(100)

    def get_buffer(self, sizehint: int) -> bytearray:
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        self.received += self._buffer[:nbytes]

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost.append(exc)


SERVER, CLIENT = Incarnation("server", 1), Incarnation("client", 1)


async def connected(loop: SimulatedLoop) -> tuple[Any, Collect]:
    await loop.spawn(Incarnation("server", 1), loop.create_server(Echo, "server", 9092))
    transport, protocol = await loop.spawn(
        Incarnation("client", 1), loop.create_connection(Collect, "server", 9092)
    )
    return transport, protocol


@pytest.mark.parametrize("seed", range(5))
def test_bytes_arrive_once_and_in_order(seed: int) -> None:
    """Goal: TCP neither loses, reorders nor duplicates, whatever the segments."""

    async def scenario(loop: SimulatedLoop, network: SimulatedNetwork) -> None:
        transport, protocol = await connected(loop)
        sent = b"".join(b"%06d;" % number for number in range(20_000))
        for start in range(0, len(sent), 10_000):
            transport.write(sent[start : start + 10_000])
        await asyncio.sleep(5)
        assert bytes(protocol.received) == sent

    simulate(scenario, seed)


def test_a_cut_holds_bytes_back_until_it_heals() -> None:
    """Goal: a partition is silent: nothing arrives, nothing is lost, all comes after healing."""

    async def scenario(loop: SimulatedLoop, network: SimulatedNetwork) -> None:
        transport, protocol = await connected(loop)
        network.cut("client", "server")
        transport.write(b"hello")
        await asyncio.sleep(60)
        assert protocol.received == b""
        network.heal()
        await asyncio.sleep(1)
        assert protocol.received == b"hello"

    simulate(scenario)


def test_one_way_cut() -> None:
    """Goal: requests pass, answers do not."""

    async def scenario(loop: SimulatedLoop, network: SimulatedNetwork) -> None:
        transport, protocol = await connected(loop)
        network.cut("server", "client", both_ways=False)
        transport.write(b"ping")
        await asyncio.sleep(10)
        assert protocol.received == b""
        network.heal("server", "client")
        await asyncio.sleep(1)
        assert protocol.received == b"ping"

    simulate(scenario)


@pytest.mark.parametrize("silently", [False, True])
def test_a_dead_node_resets_or_is_just_gone(silently: bool) -> None:
    """Goal: peers of a killed process see a reset; peers of a dead machine see nothing."""

    async def scenario(loop: SimulatedLoop, network: SimulatedNetwork) -> None:
        server = Incarnation("server", 1)
        await loop.spawn(server, loop.create_server(Echo, "server", 9092))
        _, protocol = await loop.spawn(
            Incarnation("client", 1), loop.create_connection(Collect, "server", 9092)
        )
        await asyncio.sleep(1)
        loop.crash(server)
        network.reset_all_of(server, silently=silently)
        await asyncio.sleep(60)
        if silently:
            assert protocol.lost == []
            assert network.half_open == {frozenset(("server", "client"))}
        else:
            assert not network.half_open
            assert isinstance(protocol.lost[0], ConnectionResetError)
        with pytest.raises(ConnectionRefusedError):
            await loop.create_connection(Collect, "server", 9092)

    simulate(scenario)


def test_close_delivers_what_was_written() -> None:
    """Goal: closing is polite: the peer gets the bytes, then the end."""

    async def scenario(loop: SimulatedLoop, network: SimulatedNetwork) -> None:
        transport, protocol = await connected(loop)
        transport.write(b"x" * 200_000)
        await asyncio.sleep(5)
        assert len(protocol.received) == 200_000
        transport.close()
        await asyncio.sleep(5)
        assert protocol.lost == [None]
        assert not network.transports

    simulate(scenario)
