"""Nodes that have just started do not wait for a leader that nobody has heard of."""

from __future__ import annotations

import asyncio

import pytest

from barnabas.broker.server.quorum import wire_requests

from . import world as world_module
from .world import World

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore:coroutine")

SOON_S = 0.5
"""Half of `controller.quorum.election.timeout.ms`."""


@pytest.mark.parametrize("seed", range(5))
def test_a_new_quorum_has_a_leader_before_an_election_timeout(seed: int) -> None:
    """Goal: a cluster serves a second after its start; 995 ms of that may not be an election."""
    world = World(seed)

    async def scenario() -> None:
        began = asyncio.get_running_loop().time()
        await world.voters(3)
        await world.leader()
        assert asyncio.get_running_loop().time() - began < SOON_S

    world.run(scenario())


@pytest.mark.parametrize("seed", range(5))
def test_who_comes_back_with_nothing_disturbs_no_leader(seed: int) -> None:
    """996-01: it asks at once, is refused, and learns who leads; the epoch stays."""
    world = World(seed)

    async def scenario() -> None:
        nodes = await world.voters(3)
        leader = await world.leader()
        await leader.commit("a")
        other = next(one for one in nodes if one is not leader)
        before = leader.quorum.leader
        other.crash()
        await other.start()
        await world.until(lambda: other.heard.names == ["a"])
        await asyncio.sleep(5.0)
        assert leader.quorum.leader == other.quorum.leader == before

    world.run(scenario())


def test_voters_from_before_pre_votes_elect_a_leader(monkeypatch: pytest.MonkeyPatch) -> None:
    """996-01: those of Kafka 3.9 serve Vote up to version 1, and object to no vote by that."""
    known = world_module.served_keys()
    for each in known:
        if each.api_key == wire_requests.VOTE:
            each.max_version = 1
    monkeypatch.setattr(world_module, "served_keys", lambda: known)
    world = World(34)

    async def scenario() -> None:
        await world.voters(3)
        leader = await world.leader()
        await leader.commit("a")

    world.run(scenario())
