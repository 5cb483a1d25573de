"""The quorum on a simulated cluster: elections, commits, restarts, observers, snapshots."""

from __future__ import annotations

import pytest

from .world import World

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore:coroutine")


def test_one_voter_leads_at_once_and_remembers() -> None:
    world = World()

    async def scenario() -> None:
        node = world.node(1, voters=(1,))
        await node.start()
        assert node.quorum.is_leader
        await node.commit("a", "b")
        await node.commit("c")
        node.crash()
        await node.start()
        await world.until(lambda: node.heard.names == ["a", "b", "c"])
        assert node.quorum.leader == (1, 2)
        await node.stop()
        await node.start()
        await world.until(lambda: node.heard.names == ["a", "b", "c"])

    world.run(scenario())


@pytest.mark.parametrize("seed", range(5))
def test_three_voters_go_on_when_the_leader_dies(seed: int) -> None:
    """595-02, 595-03, 595-04: what was committed by a majority outlives its leader."""
    world = World(seed)

    async def scenario() -> None:
        nodes = await world.voters(3)
        first = await world.leader()
        await first.commit("a")
        for one in nodes:
            await world.until(lambda one=one: one.heard.names == ["a"])  # type: ignore[misc]
        first.crash()
        second = await world.leader()
        assert second is not first
        await second.commit("b")
        await first.start()
        await second.commit("c")
        for one in nodes:
            await world.until(
                lambda one=one: one.heard.names == ["a", "b", "c"]  # type: ignore[misc]
            )
        assert [one.failures for one in nodes] == [[], [], []]

    world.run(scenario())
