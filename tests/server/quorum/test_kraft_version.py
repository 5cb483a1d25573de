"""A running quorum of configured voters gets voters of the log (KIP-853)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from barnabas.protocol.messages.add_raft_voter_request import AddRaftVoterRequest, Listener

from .world import CLUSTER_ID, PORT, SimulatedNode, World

SERVERS = tuple(f"node{one}:{PORT}" for one in (1, 2, 3))


def can_rise(node: SimulatedNode) -> bool:
    """Every voter has told this leader who it is."""
    return node.quorum.kraft_version_obstacle(1) is None


def levels(nodes: Sequence[SimulatedNode]) -> set[int]:
    return {one.quorum.kraft_version for one in nodes}


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_level_is_raised_while_the_quorum_runs(seed: int) -> None:
    """853-01: voters tell the leader who they are; then a fourth one can be added, and it stays so
    through a restart of all and for whoever loads a snapshot."""
    world = World(seed)

    async def scenario() -> None:
        nodes = await world.voters(3)
        leader = await world.leader()
        await leader.commit("a")
        assert levels(nodes) == {0}
        await world.until(lambda: can_rise(leader))
        quorum = leader.quorum
        offset = quorum.raise_kraft_version(1, quorum.leader.epoch)
        await world.until(lambda: min(one.quorum.high_watermark for one in nodes) > offset)
        assert levels(nodes) == {1}
        assert {one.quorum.raft.voters for one in nodes} == {quorum.raft.voters}
        assert all(quorum.raft.voters.has(*one.quorum.raft.replica_key) for one in nodes)

        fourth = world.node(4, controller_quorum_bootstrap_servers=SERVERS)
        await fourth.start()
        await world.until(lambda: fourth.heard.names == ["a"])
        added = await world.ask(leader, addition(fourth))
        assert (added.error_code, added.error_message) == (0, None)
        await world.until(lambda: fourth.quorum.is_voter)

        assert await leader.quorum.make_snapshot() is not None
        for one in (*nodes, fourth):
            await one.stop()
        for one in (*nodes, fourth):
            await one.start()
        leader = await world.leader()
        await leader.commit("b")
        assert levels(nodes) == {1}
        assert leader.quorum.raft.voters.ids == [1, 2, 3, 4]

    world.run(scenario())


def addition(node: SimulatedNode) -> AddRaftVoterRequest:
    """Make it a voter."""
    return AddRaftVoterRequest(
        cluster_id=CLUSTER_ID,
        timeout_ms=5000,
        voter_id=node.node_id,
        voter_directory_id=node.quorum.directory_id,
        listeners=[Listener(name="CONTROLLER", host=f"node{node.node_id}", port=PORT)],
    )


def test_a_voter_that_is_away_holds_it_up() -> None:
    """853-01: nobody can say which directory is its own; it comes back, and the level rises."""
    world = World(4)

    async def scenario() -> None:
        nodes = await world.voters(3)
        leader = await world.leader()
        away = next(one for one in nodes if one is not leader)
        await leader.commit("a")
        away.crash()
        other = next(one for one in nodes if one not in (leader, away))
        leader.quorum.resign(leader.quorum.leader.epoch)
        await world.until(lambda: world.leaders() and world.leaders()[0].is_up)
        leader = await world.leader()
        await leader.commit("b")
        assert other.is_up
        with pytest.raises(ValueError, match=f"Voter {away.node_id} has not told"):
            leader.quorum.raise_kraft_version(1, leader.quorum.leader.epoch)
        await away.start()
        await world.until(lambda: can_rise(leader))
        leader.quorum.raise_kraft_version(1, leader.quorum.leader.epoch)
        await world.until(lambda: levels(nodes) == {1})

    world.run(scenario())


def test_a_level_that_is_not_committed_is_cut_off_with_its_leader() -> None:
    """853-01, 595-06: another leader never saw it, and its voters are the configured ones."""
    world = World(5)

    async def scenario() -> None:
        nodes = await world.voters(3)
        leader = await world.leader()
        await leader.commit("a")
        await world.until(lambda: can_rise(leader))
        others = [one for one in nodes if one is not leader]
        for one in others:
            world.network.cut(leader.name, one.name)
        leader.quorum.raise_kraft_version(1, leader.quorum.leader.epoch)
        await world.until(lambda: any(one.quorum.is_leader for one in others))
        assert (leader.quorum.kraft_version, levels(others)) == (1, {0})
        second = next(one for one in others if one.quorum.is_leader)
        await second.commit("b")
        world.network.heal()
        await world.until(lambda: levels(nodes) == {0})
        await world.until(lambda: can_rise(second))

    world.run(scenario())
