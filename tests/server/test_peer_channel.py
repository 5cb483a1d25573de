"""The channel to another node: versions agreed, answers matched, ends told by name."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Callable
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from kit.waiting import until

from barnabas.accepting import close_server
from barnabas.broker.server.peer_channel import (
    PeerChannel,
    PeerRefusedError,
    PeerTimeoutError,
    PeerUnavailableError,
    UnsupportedPeerError,
)
from barnabas.broker.server.peer_connection import PeerConnection
from barnabas.broker.storage.files import real_env
from barnabas.protocol.messages.api_versions_response import ApiVersion
from barnabas.protocol.messages.describe_cluster_request import DescribeClusterRequest
from barnabas.testing.simulation.clock import SimulatedClock
from barnabas.testing.simulation.incarnation import Incarnation
from barnabas.testing.simulation.loop import SimulatedLoop
from barnabas.testing.simulation.network import SimulatedNetwork

from .peers import DESCRIBE_CLUSTER, House, Peer, listening

CLOCK = real_env().clock


def channel_to(address: tuple[str, int] | None, **options: Any) -> PeerChannel:
    return PeerChannel(lambda: address, client_id="test", clock=CLOCK, **options)


async def test_a_call_goes_out_in_the_highest_version_that_both_have() -> None:
    """ENV-03: the peer's list of versions bounds ours, and the caller may bound it further."""
    house = House()
    async with listening(house) as address:
        channel = channel_to(address)
        assert not channel.is_connected
        assert channel.version_of(DESCRIBE_CLUSTER) is None
        first = await channel.call(DescribeClusterRequest(), timeout_ms=5000)
        assert first.cluster_id == "number 1"
        assert channel.is_connected
        assert channel.address == address
        assert channel.version_of(DESCRIBE_CLUSTER) == 1
        await channel.call(DescribeClusterRequest(), timeout_ms=5000, versions=(0, 0))
        assert house.asked == [1, 0]
        channel.close()


async def test_several_calls_share_a_connection_and_get_their_own_answers() -> None:
    """ENV-08: answers come in the order of the requests, and are matched by correlation id."""
    house = House()
    async with listening(house) as address:
        channel = channel_to(address)
        calls = [channel.call(DescribeClusterRequest(), timeout_ms=5000) for _ in range(20)]
        answers = await asyncio.gather(*calls)
        assert [one.cluster_id for one in answers] == [f"number {n}" for n in range(1, 21)]
        assert len(house.peers) == 1
        channel.close()


async def test_no_common_version_is_told_with_both_ranges() -> None:
    house = House()
    house.keys = [ApiVersion(api_key=DESCRIBE_CLUSTER, min_version=7, max_version=9)]
    async with listening(house) as address:
        channel = channel_to(address)
        with pytest.raises(UnsupportedPeerError, match="DescribeCluster in versions 7 to 9"):
            await channel.call(DescribeClusterRequest(), timeout_ms=5000)
        house.keys = []
        channel.close()


async def test_a_node_that_knows_older_versions_of_api_versions_alone_is_asked_again() -> None:
    """ENV-03: the refusal comes in version 0, whatever was asked for."""
    house = House()
    house.versions_up_to = 1
    async with listening(house) as address:
        channel = channel_to(address)
        await channel.call(DescribeClusterRequest(), timeout_ms=5000)
        assert channel.version_of(DESCRIBE_CLUSTER) == 1
        assert len(house.peers) == 1
        channel.close()


async def test_a_node_that_refuses_to_tell_its_versions_is_not_used() -> None:
    house = House()
    house.versions_up_to = -1
    async with listening(house) as address:
        channel = channel_to(address)
        with pytest.raises(PeerUnavailableError, match="ApiVersions with the error code 35"):
            await channel.call(DescribeClusterRequest(), timeout_ms=5000)
        assert not channel.is_connected


async def test_an_answer_that_is_late_ends_the_connection_and_the_next_call_makes_a_new_one() -> (
    None
):
    house = House()
    lost: list[str] = []
    async with listening(house) as address:
        channel = channel_to(address, on_lost=lost.append)
        await channel.call(DescribeClusterRequest(), timeout_ms=5000)
        house.is_mute = True
        other = asyncio.ensure_future(channel.call(DescribeClusterRequest(), timeout_ms=60_000))
        await until(lambda: len(house.asked) == 2)
        with pytest.raises(PeerTimeoutError, match="did not answer DescribeClusterRequest"):
            await channel.call(DescribeClusterRequest(), timeout_ms=20)
        with pytest.raises(PeerTimeoutError):
            await other
        assert not channel.is_connected
        assert len(lost) == 1
        house.is_mute = False
        await channel.call(DescribeClusterRequest(), timeout_ms=5000)
        assert len(house.peers) == 2
        channel.close()
        assert len(lost) == 1


async def test_refused_and_unknown_addresses_are_told() -> None:
    async with listening(House()) as address:
        pass
    with pytest.raises(PeerRefusedError, match=f"cannot connect to {address[0]}:{address[1]}"):
        await channel_to(address).call(DescribeClusterRequest(), timeout_ms=5000)
    with pytest.raises(PeerUnavailableError, match="address is not known"):
        await channel_to(None).call(DescribeClusterRequest(), timeout_ms=5000)


async def test_a_connection_that_the_peer_resets_fails_the_call_and_is_told() -> None:
    house = House()
    lost: list[str] = []
    async with listening(house) as address:
        channel = channel_to(address, on_lost=lost.append)
        await channel.connect(timeout_ms=5000)
        house.is_mute = True
        call = asyncio.ensure_future(channel.call(DescribeClusterRequest(), timeout_ms=60_000))
        await until(lambda: house.asked)
        house.peers[0].transport.abort()
        with pytest.raises(PeerUnavailableError, match="closed the connection"):
            await call
        assert len(lost) == 1


async def test_the_channel_follows_the_node_to_another_address() -> None:
    old, new = House(), House()
    async with listening(old) as first, listening(new) as second:
        where = [first]
        channel = PeerChannel(lambda: where[0], client_id="test", clock=CLOCK)
        await channel.call(DescribeClusterRequest(), timeout_ms=5000)
        where[0] = second
        await channel.call(DescribeClusterRequest(), timeout_ms=5000)
        assert (len(old.asked), len(new.asked)) == (1, 1)
        channel.close()


@pytest.mark.parametrize(
    ("spoil", "text"),
    [
        (lambda frame: b"HTTP/1.1 400 Bad Request\r\n\r\n", "another protocol"),
        (lambda frame: b"\xff\xff\xff\xff", "frame of -1 bytes"),
        (lambda frame: struct.pack(">i", 1 << 30), "at most"),
        (lambda frame: frame[:4] + b"\x77" + frame[5:], "correlation id"),
        (lambda frame: struct.pack(">i", len(frame) - 3) + frame[4:] + b"x", "left over"),
        (lambda frame: frame + frame, "nothing was asked for"),
    ],
)
async def test_garbage_ends_the_connection_by_name(
    spoil: Callable[[bytes], bytes], text: str
) -> None:
    """ENV-01: a length that no node sends is not waited for."""
    house = House()
    lost: list[str] = []
    async with listening(house) as address:
        channel = channel_to(address, max_frame_bytes=1 << 20, on_lost=lost.append)
        await channel.connect(timeout_ms=5000)
        house.spoil = spoil
        try:
            await channel.call(DescribeClusterRequest(), timeout_ms=5000)
        except PeerUnavailableError as error:
            assert text in str(error)
        await until(lambda: not channel.is_connected)
        assert text in lost[0]


async def test_a_server_that_says_nothing_is_given_up_in_time() -> None:
    silent = await asyncio.get_running_loop().create_server(asyncio.Protocol, "127.0.0.1", 0)
    address = silent.sockets[0].getsockname()[:2]
    channel = channel_to(address, connect_timeout_ms=20)
    with pytest.raises(PeerUnavailableError, match="did not accept a connection within 20 ms"):
        await channel.call(DescribeClusterRequest(), timeout_ms=5000)
    patient = channel_to(address, connect_timeout_ms=60_000)
    with pytest.raises(PeerTimeoutError, match="took no connection in time"):
        await patient.call(DescribeClusterRequest(), timeout_ms=20)
    patient.close()
    await close_server(silent)


def spend(channel: PeerChannel) -> PeerConnection:
    """The channel's connection, whose login is as good as over."""
    connection = channel._connection
    assert connection is not None
    end: Any = connection._end
    end._login = SimpleNamespace(lifetime_ms=1)
    connection._opened_at -= 3600.0
    assert connection.is_spent
    return connection


def watching(house: House, connection: PeerConnection) -> list[bool]:
    """For each answer of the house from now on, whether the connection is closed then."""
    seen: list[bool] = []

    def spoil(frame: bytes) -> bytes:
        seen.append(connection.is_closed)
        return frame

    house.spoil = spoil
    return seen


async def test_a_spent_connection_is_let_go_when_the_new_one_is_up() -> None:
    """631-02: between the two the peer always sees one, for a broker without any counts as dead
    after a short grace."""
    house = House()
    lost: list[str] = []
    async with listening(house) as address:
        channel = channel_to(address, on_lost=lost.append)
        await channel.call(DescribeClusterRequest(), timeout_ms=5000)
        seen = watching(house, spend(channel))
        await channel.call(DescribeClusterRequest(), timeout_ms=5000)
        assert seen == [False, True], "while versions are agreed on; before the call is answered"
        assert len(house.peers) == 2
        assert lost == []
        channel.close()


async def test_a_spent_connection_stays_open_for_a_call_that_is_under_way() -> None:
    """Also when no new one can be made; it takes no other call."""
    house = House()
    async with listening(house) as address:
        channel = channel_to(address)
        house.is_mute = True
        under_way = asyncio.ensure_future(channel.call(DescribeClusterRequest(), timeout_ms=60_000))
        await until(lambda: house.asked)
        spent = spend(channel)
        seen = watching(house, spent)
        house.versions_up_to = -1
        with pytest.raises(PeerUnavailableError, match="ApiVersions"):
            await channel.call(DescribeClusterRequest(), timeout_ms=5000)
        assert not channel.is_connected
        assert not any(seen)
        assert not spent.is_closed
        assert spent._is_retired
        under_way.cancel()
        spent.close()


async def test_a_spent_connection_is_let_go_when_no_new_one_can_be_made() -> None:
    """Not before that is certain."""
    house = House()
    async with listening(house) as address:
        channel = channel_to(address)
        await channel.call(DescribeClusterRequest(), timeout_ms=5000)
        spent = spend(channel)
        seen = watching(house, spent)
        house.versions_up_to = -1
        with pytest.raises(PeerUnavailableError, match="ApiVersions"):
            await channel.call(DescribeClusterRequest(), timeout_ms=5000)
        assert seen
        assert not any(seen)
        assert spent.is_closed


async def test_close_fails_what_is_under_way_and_what_comes_later() -> None:
    house = House()
    async with listening(house) as address:
        channel = channel_to(address)
        house.is_mute = True
        call = asyncio.ensure_future(channel.call(DescribeClusterRequest(), timeout_ms=60_000))
        await until(lambda: house.asked)
        channel.close()
        with pytest.raises(PeerUnavailableError, match="closed"):
            await call
        with pytest.raises(PeerUnavailableError, match="closed"):
            await channel.call(DescribeClusterRequest(), timeout_ms=5000)


async def test_a_cancelled_call_takes_no_other_call_with_it() -> None:
    house = House()
    async with listening(house) as address:
        channel = channel_to(address)
        first = asyncio.ensure_future(channel.call(DescribeClusterRequest(), timeout_ms=5000))
        second = asyncio.ensure_future(channel.call(DescribeClusterRequest(), timeout_ms=5000))
        await asyncio.sleep(0)
        first.cancel()
        assert (await second).cluster_id
        assert first.cancelled()
        channel.close()


def test_it_works_on_the_simulated_loop_and_network() -> None:
    """Tiny segments, delays and a cut link, by virtual time."""
    loop = SimulatedLoop(Random(5))
    network = SimulatedNetwork(loop, Random(6))
    house = House()
    server, client = Incarnation("server", 1), Incarnation("client", 1)

    async def calls() -> list[str]:
        channel = PeerChannel(lambda: ("server", 9093), client_id="sim", clock=SimulatedClock(loop))
        seen = []
        for _ in range(50):
            answer = await channel.call(DescribeClusterRequest(), timeout_ms=1000)
            seen.append(answer.cluster_id)
        network.cut("server", "client")
        with pytest.raises(PeerTimeoutError):
            await channel.call(DescribeClusterRequest(), timeout_ms=1000)
        network.heal()
        seen.append((await channel.call(DescribeClusterRequest(), timeout_ms=1000)).cluster_id)
        channel.close()
        return seen

    async def scenario() -> list[str]:
        await loop.spawn(server, loop.create_server(lambda: Peer(house), "server", 9093))
        return await loop.spawn(client, calls())

    try:
        assert len(loop.run_until_complete(scenario())) == 51
        assert loop.unhandled == []
    finally:
        loop.close()
