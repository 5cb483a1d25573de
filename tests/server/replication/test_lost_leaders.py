"""A leader is in doubt when the connection breaks that always has a Fetch under way."""

from __future__ import annotations

import asyncio

import pytest
from kit.waiting import until

from barnabas.broker.server.peer_channel import PeerError
from barnabas.broker.server.replication.channels import FETCHER, channels_of
from barnabas.protocol.messages.describe_cluster_request import DescribeClusterRequest
from server.peers import House, listening

from .nodes import Services

LEADER = 2


async def lose(purpose: str, *, is_ours: bool) -> Services:
    """A call is under way, and the connection ends: by the leader or by us."""
    house, services = House(), Services()
    async with listening(house) as address:
        services.addresses[LEADER] = address
        channel = channels_of(services)(LEADER, purpose)
        house.is_mute = True
        call = asyncio.ensure_future(channel.call(DescribeClusterRequest(), timeout_ms=60_000))
        await until(lambda: house.asked)
        assert not services.lost_leaders.is_in_doubt(LEADER)
        if is_ours:
            channel.close()
        else:
            house.peers[0].transport.write_eof()
        with pytest.raises(PeerError):
            await call
    return services


async def test_a_leader_that_ends_the_connection_of_a_fetcher_is_in_doubt() -> None:
    """631-02: its sockets are closed, so its process is gone, or about to be."""
    services = await lose(FETCHER, is_ours=False)
    assert services.lost_leaders.is_in_doubt(LEADER)


@pytest.mark.parametrize(("purpose", "is_ours"), [("fetcher-side", False), (FETCHER, True)])
async def test_other_ends_say_nothing(purpose: str, *, is_ours: bool) -> None:
    """631-02: a connection that is idle at times is closed for that, and ours are closed by us."""
    services = await lose(purpose, is_ours=is_ours)
    assert not services.lost_leaders.is_in_doubt(LEADER)
