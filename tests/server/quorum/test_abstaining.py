"""Goal: a voter whose metadata log was damaged neither votes nor stands until it has it again."""

from __future__ import annotations

import json
from typing import Any

import pytest

from barnabas.broker.server.quorum import log_cleaner
from barnabas.broker.server.quorum.floor import FILE_NAME
from barnabas.protocol.messages.vote_request import PartitionData, TopicData, VoteRequest

from .long_past import begun, files_of, with_a_long_past
from .world import CLUSTER_ID, METADATA, PATH, SimulatedNode, World

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore:coroutine")

FLOOR = f"{PATH}/{FILE_NAME}"


@pytest.fixture(autouse=True)
def _small_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    """A snapshot closes its segment, so that what is before the log's start really goes."""
    monkeypatch.setattr(log_cleaner, "ROLL_FROM_BYTES", 1)


def rot(node: SimulatedNode, name: str, position: int) -> None:
    """A byte of a file of its metadata log is another one."""
    path = f"{METADATA}/{name}"
    content = bytearray(node.disk.read_file(path))
    content[position] ^= 0x55
    node.disk.write_file_atomically(path, bytes(content))


async def damaged(world: World) -> SimulatedNode:
    """One of three voters, stopped, whose only snapshot is damaged; its log begins after that."""
    nodes = await with_a_long_past(world)
    leader = await world.leader()
    node = next(one for one in nodes if one is not leader)
    for number in range(60):
        await leader.commit(f"more-{number}")
    await world.until(lambda: not node.disk.exists(f"{METADATA}/{0:020d}.log"))
    await world.until(lambda: node.heard.names == leader.heard.names)
    node.crash(lose_power=False)
    for name in files_of(node):
        rot(node, name, -30)
    return node


async def ask_for_vote(world: World, node: SimulatedNode, epoch: int) -> Any:
    """A candidate that has one record asks this node."""
    partition = PartitionData(
        replica_epoch=epoch, replica_id=1 + node.node_id % 3, last_offset_epoch=1, last_offset=1
    )
    request = VoteRequest(
        cluster_id=CLUSTER_ID,
        voter_id=node.node_id,
        topics=[TopicData(topic_name="__cluster_metadata", partitions=[partition])],
    )
    answer = await world.ask(node, request, 0)
    return answer.topics[0].partitions[0]


def test_a_voter_with_a_damaged_snapshot_gives_no_vote() -> None:
    """630-11, 595-02: it has begun its log anew, and votes for nobody; nor after a restart."""
    world = World(81)

    async def scenario() -> None:
        node = await damaged(world)
        for one in world.nodes.values():
            if one.is_up:
                one.crash()
        for _ in range(2):
            await node.start()
            assert node.quorum.log.end_offset == 0
            assert json.loads(node.disk.read_file(FLOOR))["abstains"] is True
            told = await ask_for_vote(world, node, node.quorum.leader.epoch + 1)
            assert (told.error_code, told.vote_granted) == (0, False)
            node.crash()

    world.run(scenario())


def test_it_votes_again_when_it_has_all() -> None:
    """595-03, 595-04: what a leader had committed is on its disk again, and it has said so."""
    world = World(82)

    async def scenario() -> None:
        node = await damaged(world)
        await node.start()
        assert node.quorum.raft.abstains
        leader = await world.leader()
        await world.until(lambda: node.heard.names == leader.heard.names)
        await world.until(lambda: not node.quorum.raft.abstains)
        await world.until(lambda: not json.loads(node.disk.read_file(FLOOR))["abstains"])
        leader.crash()
        await world.until(lambda: any(one is not leader for one in world.leaders()))

    world.run(scenario())


def test_a_log_that_is_cut_in_its_middle_is_missed() -> None:
    """595-04: recovery keeps what is sound; the floor says that it was more."""
    world = World(83)

    async def scenario() -> None:
        nodes = await world.voters(3)
        leader = await world.leader()
        await begun(world, leader)
        await leader.commit(*[f"topic-{number}" for number in range(50)])
        await leader.commit("last")
        node = next(one for one in nodes if one is not leader)
        await world.until(lambda: node.heard.names[-1] == "last")
        end_offset = node.quorum.log.end_offset
        await node.stop()
        rot(node, "00000000000000000000.log", 400)
        node.disk.remove(f"{PATH}/.kafka_cleanshutdown")
        await node.start()
        assert node.quorum.log.end_offset < end_offset
        assert node.quorum.raft.abstains
        await world.until(lambda: not node.quorum.raft.abstains)
        assert node.quorum.log.end_offset >= end_offset

    world.run(scenario())


@pytest.mark.slow
def test_what_somebody_can_do_when_all_abstain() -> None:
    """595-02: without the file each votes with what it has; until then nobody is elected."""
    world = World(84)

    async def scenario() -> None:
        nodes = await world.voters(3)
        leader = await world.leader()
        await begun(world, leader)
        await leader.commit("first one")
        for one in nodes:
            await one.stop()
            floor = json.loads(one.disk.read_file(FLOOR))
            assert floor["offset"] > 0
            floor["offset"] += 1000
            one.disk.write_file_atomically(FLOOR, json.dumps(floor).encode())
        for one in nodes:
            await one.start()
            one.alarms.clear()  # what it said at its start
            assert one.quorum.raft.abstains
        deadline = world.loop.time() + 30
        await world.until(lambda: world.loop.time() > deadline)
        assert world.leaders() == []
        assert any("removed from its log directory" in text for one in nodes for text in one.alarms)
        for one in nodes:
            one.crash()
            one.disk.remove(FLOOR)
            await one.start()
        await world.leader()

    world.run(scenario())


def test_a_floor_of_another_directory_says_nothing() -> None:
    """853-01: a directory that was formatted anew is another voter."""
    world = World(85)

    async def scenario() -> None:
        content = {"version": 0, "directory.id": "A" * 22, "offset": 99, "abstains": True}
        node = world.node(1, voters=(1, 2, 3))
        node.disk.make_directory(PATH)
        node.disk.write_file_atomically(FLOOR, json.dumps(content).encode())
        await node.start()
        assert not node.quorum.raft.abstains

    world.run(scenario())


def test_a_floor_that_cannot_be_read_is_no_proof() -> None:
    """595-04: it may have said that this voter abstains."""
    world = World(86)

    async def scenario() -> None:
        node = world.node(1, voters=(1, 2, 3))
        node.disk.make_directory(PATH)
        node.disk.write_file_atomically(FLOOR, b"{")
        await node.start()
        assert node.quorum.raft.abstains
        assert any("metadata-log-floor is damaged" in note for note in node.quorum.notes)

    world.run(scenario())
