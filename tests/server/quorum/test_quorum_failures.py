"""Disks that fail under the quorum, and random trouble: nothing committed is ever lost."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from barnabas.broker.core.log.failures import LogDirectoryFailure
from barnabas.broker.core.raft.messages import Vote
from barnabas.broker.server.quorum.listener import NotLeaderError
from barnabas.broker.server.quorum.wire_requests import to_wire
from barnabas.broker.serving.waiting import Waiting, awaited
from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.message import Message

from .world import CLUSTER_ID, METADATA, Heard, SimulatedNode, World, describe_request

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore:coroutine")


@pytest.mark.parametrize("what", ["write_error", "fsync_error"])
def test_a_leader_whose_disk_fails_says_so_and_another_one_leads(what: str) -> None:
    """Goal: the failed node names its folder and takes no part; the cluster goes on."""
    world = World(41)

    async def scenario() -> None:
        nodes = await world.voters(3)
        first = await world.leader()
        await first.commit("a")
        setattr(first.disk.faults, what, 1.0)
        # A write fails at once; an fsync later, on another thread.
        try:
            first.append("lost")
        except LogDirectoryFailure as failure:
            assert METADATA in str(failure)
        await world.until(lambda: first.failures)
        (told,) = first.failures
        assert told.code is ErrorCode.KAFKA_STORAGE_ERROR
        assert METADATA in str(told)
        with pytest.raises(KafkaError, match=METADATA):
            first.append("b")
        refused = await world.ask(first, describe_request())
        assert refused.error_code == ErrorCode.KAFKA_STORAGE_ERROR
        first.crash()
        second = await world.leader()
        assert second is not first
        await second.commit("b")
        first.disk.faults.write_error = first.disk.faults.fsync_error = 0.0
        await first.start()
        for one in nodes:
            await world.until(lambda one=one: "b" in one.heard.names)  # type: ignore[misc]

    world.run(scenario())


@pytest.mark.parametrize("what", ["write_error", "fsync_error"])
def test_a_follower_whose_disk_fails_says_so(what: str) -> None:
    """Goal: it does not go on by what it knew, as if what it cannot store had not come."""
    world = World(43)

    async def scenario() -> None:
        nodes = await world.voters(3)
        leader = await world.leader()
        follower = next(one for one in nodes if one is not leader)
        await leader.commit("a")
        setattr(follower.disk.faults, what, 1.0)
        await leader.commit("b")
        await world.until(lambda: follower.failures)
        (told,) = follower.failures
        assert told.code is ErrorCode.KAFKA_STORAGE_ERROR
        assert METADATA in str(told)
        follower.crash()
        await leader.commit("c")

    world.run(scenario())


def test_a_quorum_of_one_whose_flush_fails_commits_nothing_more() -> None:
    """595-04, C33d: what was not fsynced is not committed, not even alone."""
    world = World(42)

    async def scenario() -> None:
        node = world.node(1, voters=(1,))
        await node.start()
        await node.commit("a")
        before = node.quorum.high_watermark
        node.disk.faults.fsync_error = 1.0
        node.append("b")
        await world.until(lambda: node.failures)
        assert node.quorum.high_watermark == before
        assert node.heard.names == ["a"]
        await node.stop()

    world.run(scenario())


def test_a_state_that_cannot_be_written_gives_no_vote() -> None:
    """595-01: a voter whose quorum-state fails to be written elects nobody."""
    world = World(43)

    async def scenario() -> None:
        nodes = [world.node(one, voters=(1, 2)) for one in (1, 2)]
        await nodes[0].start()
        await nodes[1].start()
        nodes[1].disk.faults.write_error = nodes[1].disk.faults.fsync_error = 1.0
        await world.until(lambda: nodes[1].failures)
        await asyncio.sleep(10)
        assert not nodes[0].quorum.is_leader

    world.run(scenario())


def test_who_waits_for_a_node_that_stops_is_told() -> None:
    """595-01: a vote is told when it is durable, and not at all by a node that stops before; then
    it says so, since a connection with an answer that is owed would hold up its end."""
    world = World(45)

    async def scenario() -> None:
        await world.voters(3)
        leader = await world.leader()
        asked = next(one for one in world.nodes.values() if one is not leader)
        raft = leader.quorum.raft
        own = asked.quorum.raft.replica_key
        vote = Vote(CLUSTER_ID, raft.epoch + 1, raft.replica_key, own, 0, 0, pre_vote=False)
        asker: Any = SimpleNamespace(api_version=1)
        waiting = asked.quorum.handle(to_wire(vote), asker)
        assert isinstance(waiting, Waiting), "the new epoch is not durable yet"
        answer = asyncio.ensure_future(awaited(waiting))
        assert asked.incarnation is not None
        await world.loop.spawn(asked.incarnation, asked.quorum.abort())
        told: Any = await asyncio.wait_for(answer, 60)
        assert told.error_code == ErrorCode.BROKER_NOT_AVAILABLE

    world.run(scenario())


class Breaking(Heard):
    """A listener with a bug."""

    def on_committed(
        self,
        base_offset: int,
        epoch: int,
        records: Sequence[Message],
        append_wall_ms: int,
        last_offset: int,
    ) -> None:
        super().on_committed(base_offset, epoch, records, append_wall_ms, last_offset)
        if "b" in self.names:
            raise LookupError("no such thing")


def test_a_listener_that_breaks_ends_the_node_by_name() -> None:
    """Goal: no part of a node goes on without what was committed."""
    world = World(44)

    async def scenario() -> None:
        node = world.node(1, voters=(1,))
        await node.start()
        assert node.incarnation is not None
        node.quorum.add_listener(Breaking())
        await node.commit("a")
        node.append("b")
        await world.until(lambda: node.failures)
        assert "no such thing" in str(node.failures[0])
        await node.stop()
        (told,) = world.loop.unhandled
        assert isinstance(told["exception"], LookupError)
        world.loop.unhandled.clear()

    world.run(scenario())


class Trouble:
    """Three voters, a client that appends, and what may go wrong; drawn from a seed."""

    def __init__(self, seed: int) -> None:
        self.world = World(100 + seed)
        self.random = Random(seed)
        self.nodes: list[SimulatedNode] = []
        self.committed: list[str] = []

    async def append(self, name: str) -> None:
        """Append a topic where a leader is, and note whether it was seen committed."""
        leaders = self.world.leaders()
        if not leaders:
            await asyncio.sleep(0.2)
            return
        leader = leaders[0]
        try:
            leader.append(name)
        except NotLeaderError:
            return
        for _ in range(40):
            await asyncio.sleep(0.01)
            if leader.is_up and name in leader.heard.names:
                self.committed.append(name)
                return

    async def happen(self) -> None:
        """Something goes wrong, or is mended."""
        world, random = self.world, self.random
        victim = random.choice(self.nodes)
        choice = random.random()
        if not victim.is_up:
            await victim.start()
        elif choice < 0.3 and all(one.is_up for one in self.nodes):
            victim.crash()
        elif choice < 0.5:
            a, b = random.sample(self.nodes, 2)
            world.network.cut(a.name, b.name)
        elif choice < 0.8:
            world.network.heal()
        elif victim.incarnation is not None:
            world.loop.pause(victim.incarnation, random.uniform(0.1, 4.0))

    async def mend(self) -> None:
        """Everything works again, and a last topic comes everywhere."""
        self.world.network.heal()
        for one in self.nodes:
            if not one.is_up:
                await one.start()
        while "the end" not in self.committed:
            await self.append("the end")
        for one in self.nodes:
            await self.world.until(
                lambda one=one: "the end" in one.heard.names  # type: ignore[misc]
            )

    async def run(self) -> None:
        """All of it."""
        self.nodes += await self.world.voters(
            3, controller_snapshot_minimum_records=40, metadata_max_retention_bytes=1
        )
        for number in range(150):
            await self.append(f"topic-{number}")
            if self.random.random() < 0.1:
                await self.happen()
        await self.mend()


@pytest.mark.parametrize("seed", range(6))
def test_nothing_committed_is_lost_in_any_trouble(seed: int) -> None:
    """595-03, 595-04: power losses, cuts and pauses at random; logs agree in the end."""
    trouble = Trouble(seed)
    trouble.world.run(trouble.run())
    assert len(trouble.committed) > 30
    for one in trouble.nodes:
        assert set(trouble.committed) <= set(one.heard.names)
        assert one.heard.names == trouble.nodes[0].heard.names
        assert one.failures == []
