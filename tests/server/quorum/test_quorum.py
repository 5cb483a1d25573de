"""The quorum on a simulated cluster: elections, commits, restarts, observers, snapshots."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from barnabas.broker.server.quorum.listener import NotLeaderError
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.add_raft_voter_request import AddRaftVoterRequest, Listener
from barnabas.protocol.messages.begin_quorum_epoch_request import BeginQuorumEpochRequest
from barnabas.protocol.messages.describe_quorum_request import DescribeQuorumRequest, PartitionData
from barnabas.protocol.messages.end_quorum_epoch_request import EndQuorumEpochRequest
from barnabas.protocol.messages.fetch_request import FetchRequest
from barnabas.protocol.messages.fetch_snapshot_request import FetchSnapshotRequest
from barnabas.protocol.messages.remove_raft_voter_request import RemoveRaftVoterRequest
from barnabas.protocol.messages.update_raft_voter_request import (
    KRaftVersionFeature,
    UpdateRaftVoterRequest,
)
from barnabas.protocol.messages.vote_request import VoteRequest
from barnabas.protocol.primitives import uuid_from_text, uuid_to_text
from barnabas.testing.simulation.incarnation import Incarnation

from .world import CLUSTER_ID, PORT, World, describe_request, features

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
    """595-02: what was committed outlives its leader: whoever is elected has it."""
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


def test_an_observer_follows_and_its_progress_is_known() -> None:
    """KIP-1166: an observer hears at once what was committed, and the leader what it applied."""
    world = World(4)

    async def scenario() -> None:
        await world.voters(3)
        broker = world.node(11, voters=(1, 2, 3))
        await broker.start()
        leader = await world.leader()
        await leader.commit("a")
        await world.until(lambda: broker.heard.names == ["a"])
        assert not broker.quorum.is_voter
        assert broker.quorum.leader == leader.quorum.leader
        assert broker.quorum.leader_address() == (leader.name, 9093)
        offset = leader.append("b")
        began_s = world.loop.time()
        await world.until(lambda: leader.quorum.replica_progress().get(11, -1) > offset)
        assert world.loop.time() - began_s < 0.2
        assert broker.heard.names == ["a", "b"]
        assert set(leader.quorum.replica_progress()) == {1, 2, 3, 11}
        assert broker.quorum.replica_progress() == {}
        await asyncio.sleep(1.0)  # in virtual time: the broker stands at the end of the log
        await leader.commit("c")
        await world.until(lambda: broker.heard.names == ["a", "b", "c"])
        now_ms = broker.clock.monotonic_ms()
        assert now_ms - 1000 < broker.quorum.fresh_since_ms <= now_ms

    world.run(scenario())


def test_a_leader_that_stops_in_order_is_followed_at_once() -> None:
    """595-08: EndQuorumEpoch names a successor, which need not wait for the fetch time-out."""
    world = World(5)

    async def scenario() -> None:
        await world.voters(3)
        first = await world.leader()
        await first.commit("a")
        epoch = first.quorum.leader.epoch
        await first.stop()
        stopped_s = world.loop.time()
        second = await world.leader()
        assert second is not first
        assert second.quorum.leader.epoch == epoch + 1
        assert world.loop.time() - stopped_s < 0.5
        await second.commit("b")

    world.run(scenario())


def test_a_leader_whose_process_died_is_replaced_before_the_fetch_timeout() -> None:
    """Goal: a reset connection and refused ones are news; 2 s of silence are not waited for."""
    world = World(6)

    async def scenario() -> None:
        await world.voters(3)
        first = await world.leader()
        await first.commit("a")
        first.crash()
        died_s = world.loop.time()
        second = await world.leader()
        assert second is not first
        assert world.loop.time() - died_s < 1.0

    world.run(scenario())


@pytest.mark.slow
def test_a_voter_that_was_alone_for_an_hour_disturbs_nobody() -> None:
    """996-02: pre-votes of an isolated voter bump no epoch, also not when it is back."""
    world = World(7)

    async def scenario() -> None:
        nodes = await world.voters(3)
        leader = await world.leader()
        await leader.commit("a")
        lonely = next(one for one in nodes if one is not leader)
        for other in nodes:
            if other is not lonely:
                world.network.cut(lonely.name, other.name)
        await asyncio.sleep(3600)
        before = leader.quorum.leader
        await leader.commit("b")
        world.network.heal()
        await world.until(lambda: lonely.heard.names == ["a", "b"])
        assert leader.quorum.leader == before == lonely.quorum.leader

    world.run(scenario())


def test_a_leader_without_a_majority_resigns() -> None:
    """595-07: it finds out that nobody fetches, and what it appended is not committed."""
    world = World(8)

    async def scenario() -> None:
        nodes = await world.voters(3)
        old = await world.leader()
        await old.commit("a")
        for other in nodes:
            if other is not old:
                world.network.cut(old.name, other.name)
        old.append("lost")
        await world.until(lambda: not old.quorum.is_leader)
        new = await world.leader()
        await new.commit("b")
        world.network.heal()
        await world.until(lambda: old.heard.names == ["a", "b"])
        with pytest.raises(NotLeaderError):
            old.quorum.append(features(21), 1)

    world.run(scenario())


def test_a_single_controller_that_has_moved_is_found() -> None:
    """853-01: what its log says of its address is of before, and it alone can write another."""
    world = World(36)

    async def scenario() -> None:
        node = world.node(1, listeners=(f"CONTROLLER://elsewhere:{PORT}",))
        await node.start()
        await node.commit("a")
        await node.stop()
        node.config = replace(node.config, listeners=(f"CONTROLLER://node1:{PORT}",))
        await node.start()
        servers = (f"node1:{PORT}",)
        broker = world.node(
            11, process_roles=("broker",), controller_quorum_bootstrap_servers=servers
        )
        await broker.start()
        await world.until(lambda: broker.heard.names == ["a"])
        assert broker.quorum.leader_address() == ("node1", PORT)

    world.run(scenario())


def test_first_voters_by_settings_and_voters_that_change() -> None:
    """853-01: a quorum that may change: a fourth node is added, and one is removed."""
    world = World(9)
    ids = {one: uuid_to_text(bytes([0x10 + one]) * 16) for one in (1, 2, 3)}
    initial = tuple(f"{one}@node{one}:{PORT}:{ids[one]}" for one in (1, 2, 3))
    servers = tuple(f"node{one}:{PORT}" for one in (1, 2, 3))

    async def scenario() -> None:
        nodes = [
            world.node(
                one,
                controller_quorum_initial_voters=initial,
                controller_quorum_bootstrap_servers=servers,
            )
            for one in (1, 2, 3)
        ]
        for one in nodes:
            await one.start()
        assert [one.quorum.directory_id for one in nodes] == [
            uuid_from_text(ids[one]) for one in (1, 2, 3)
        ]
        leader = await world.leader()
        await leader.commit("a")
        fourth = world.node(4, controller_quorum_bootstrap_servers=servers)
        await fourth.start()
        await world.until(lambda: fourth.heard.names == ["a"])
        assert not fourth.quorum.is_voter
        added = await world.ask(
            leader,
            AddRaftVoterRequest(
                cluster_id=CLUSTER_ID,
                timeout_ms=5000,
                voter_id=4,
                voter_directory_id=fourth.quorum.directory_id,
                listeners=[Listener(name="CONTROLLER", host="node4", port=PORT)],
            ),
        )
        assert (added.error_code, added.error_message) == (0, None)
        await world.until(lambda: fourth.quorum.is_voter)
        removed = next(one for one in nodes if one is not leader)
        answer = await world.ask(
            leader,
            RemoveRaftVoterRequest(
                cluster_id=CLUSTER_ID,
                voter_id=removed.node_id,
                voter_directory_id=removed.quorum.directory_id,
            ),
        )
        assert answer.error_code == 0
        await world.until(lambda: not removed.quorum.is_voter)
        await leader.commit("b")
        assert sorted(leader.quorum.raft.voters.ids) == sorted({1, 2, 3, 4} - {removed.node_id})
        described = await world.ask(leader, describe_request())
        assert [one.replica_id for one in described.topics[0].partitions[0].current_voters] == (
            leader.quorum.raft.voters.ids
        )
        assert {one.node_id for one in described.nodes} == {*leader.quorum.raft.voters.ids}

    world.run(scenario())


def test_another_clusters_requests_are_refused_at_the_top() -> None:
    """595-05, 630-12: INCONSISTENT_CLUSTER_ID(104) before anything else is looked at."""
    world = World(10)

    async def scenario() -> None:
        node = world.node(1, voters=(1,))
        await node.start()
        for request in (
            FetchRequest(cluster_id="another"),
            VoteRequest(cluster_id="another"),
            BeginQuorumEpochRequest(cluster_id="another"),
            EndQuorumEpochRequest(cluster_id="another"),
            FetchSnapshotRequest(cluster_id="another"),
            AddRaftVoterRequest(cluster_id="another"),
            RemoveRaftVoterRequest(cluster_id="another"),
            UpdateRaftVoterRequest(
                cluster_id="another", k_raft_version_feature=KRaftVersionFeature()
            ),
        ):
            answer = await world.ask(node, request)
            assert answer.error_code == ErrorCode.INCONSISTENT_CLUSTER_ID, request.NAME
        for request in (FetchRequest(), VoteRequest(), FetchSnapshotRequest()):
            answer = await world.ask(node, request)
            assert answer.error_code == ErrorCode.INVALID_REQUEST, request.NAME

    world.run(scenario())


def test_describe_quorum_tells_voters_observers_and_how_far_they_are() -> None:
    world = World(11)

    async def scenario() -> None:
        nodes = await world.voters(3)
        broker = world.node(11, voters=(1, 2, 3))
        await broker.start()
        leader = await world.leader()
        await leader.commit("a")
        await world.until(lambda: broker.heard.names == ["a"])
        await asyncio.sleep(1)
        for version in (0, 1, 2):
            found = (await world.ask(leader, describe_request(), version)).topics[0].partitions[0]
            assert found.error_code == 0
            assert found.leader_id == leader.node_id
            assert found.high_watermark == leader.quorum.high_watermark
            assert [one.replica_id for one in found.current_voters] == [1, 2, 3]
            assert [one.replica_id for one in found.observers] == [11]
            ends = {one.log_end_offset for one in found.current_voters}
            assert ends == {leader.quorum.log_end_offset}
            if version >= 1:
                now_ms = leader.clock.wall_ms()
                for row in (*found.current_voters, *found.observers):
                    assert now_ms - 1500 < row.last_fetch_timestamp <= now_ms
        other = next(one for one in nodes if one is not leader)
        elsewhere = (await world.ask(other, describe_request())).topics[0].partitions[0]
        assert elsewhere.error_code == ErrorCode.NOT_LEADER_OR_FOLLOWER
        assert elsewhere.leader_id == leader.node_id
        assert str(leader.node_id) in elsewhere.error_message

    world.run(scenario())


def test_only_the_metadata_log_has_a_quorum_to_describe() -> None:
    """Each partition that was asked for answers so, however many there are."""
    world = World(13)

    async def scenario() -> None:
        node = world.node(1, voters=(1,))
        await node.start()
        both = describe_request()
        both.topics[0].partitions.append(PartitionData(partition_index=1))
        other = describe_request()
        other.topics[0].topic_name = "t"
        for request, count in ((DescribeQuorumRequest(), 0), (other, 1), (both, 2)):
            answer = await world.ask(node, request)
            assert answer.error_code == ErrorCode.NONE
            rows = [row for topic in answer.topics for row in topic.partitions]
            assert [row.error_code for row in rows] == [
                ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
            ] * count

    world.run(scenario())


def test_garbage_from_a_peer_is_no_answer() -> None:
    """Goal: a port where something else listens costs retries, not the quorum."""
    world = World(12)

    async def scenario() -> None:
        nodes = [world.node(one, voters=(1, 2, 3)) for one in (1, 2, 3)]
        stranger = Incarnation("stranger", 1)
        await world.loop.spawn(stranger, world.loop.create_server(Babbler, "node3", PORT))
        await nodes[0].start()
        await nodes[1].start()
        leader = await world.leader()
        await leader.commit("a")
        world.network.reset_all_of(stranger)
        await nodes[2].start()
        await world.until(lambda: nodes[2].heard.names == ["a"])
        assert [one.failures for one in nodes] == [[], [], []]

    world.run(scenario())


class Babbler(asyncio.Protocol):
    """Answers everything with the same nonsense."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.transport.write(b"SSH-2.0-OpenSSH_9.6\r\n" + data[:7])
