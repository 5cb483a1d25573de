"""Snapshots over the wire: downloaded in pieces, resumed, checked, begun anew."""

from __future__ import annotations

from typing import Any

import pytest

from barnabas.broker.core.raft.snapshot_file import SnapshotId
from barnabas.broker.server.quorum import log_cleaner
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.fetch_snapshot_request import (
    FetchSnapshotRequest,
    PartitionSnapshot,
    TopicSnapshot,
)
from barnabas.protocol.messages.fetch_snapshot_request import SnapshotId as WireId

from .long_past import ALL, files_of, with_a_long_past
from .world import CLUSTER_ID, METADATA, SimulatedNode, World

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore:coroutine")


@pytest.fixture(autouse=True)
def _small_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    """A snapshot closes its segment, so that what is before the log's start really goes."""
    monkeypatch.setattr(log_cleaner, "ROLL_FROM_BYTES", 1)


def test_an_observer_from_nothing_loads_the_leaders_snapshot() -> None:
    """630-10, 630-13, 630-14: what is gone from the log comes as a snapshot, piece by piece."""
    world = World(23)

    async def scenario() -> None:
        await with_a_long_past(world)
        broker = world.node(11, voters=(1, 2, 3), controller_quorum_fetch_snapshot_max_bytes=1000)
        await broker.start()
        await world.until(lambda: broker.heard.names == ALL)
        loaded = broker.heard.snapshots[0]
        assert loaded.end_offset > 50
        assert broker.quorum.log.start_offset == loaded.end_offset
        assert files_of(broker) == [loaded.file_name]
        leader = await world.leader()
        await leader.commit("more")
        await world.until(lambda: broker.heard.names == [*ALL, "more"])
        broker.crash()
        await broker.start()
        await world.until(lambda: broker.heard.names == [*ALL, "more"])

    world.run(scenario())


def test_a_broken_download_goes_on_where_it_was() -> None:
    """630-14: pieces that came are kept over a lost connection to the same leader."""
    world = World(24)

    async def scenario() -> None:
        await with_a_long_past(world)
        leader = await world.leader()
        broker = world.node(11, voters=(1, 2, 3), controller_quorum_fetch_snapshot_max_bytes=100)
        positions: list[int] = []
        await broker.start()
        watch_pieces(broker, positions)
        await world.until(lambda: len(positions) >= 3)
        had = positions[-1]
        for transport in list(world.network.transports.values()):
            if transport.owner is broker.incarnation:
                transport.die(silently=False)
        await world.until(lambda: broker.heard.names == ALL)
        assert positions == sorted(positions), "it went back"
        assert max(positions) > had
        assert leader.quorum.is_leader

    world.run(scenario())


def watch_pieces(node: SimulatedNode, positions: list[int]) -> None:
    """Note where each piece of a download is appended."""
    files = node.quorum.log.files
    append = files.append_part

    def watched(snapshot: SnapshotId, pieces: Any) -> None:
        positions.append(files.part_size(snapshot))
        append(snapshot, pieces)

    files.append_part = watched  # type: ignore[method-assign]


def test_a_flipped_bit_in_a_download_is_found_and_it_is_fetched_again() -> None:
    """630-03, 630-14: damage is named, thrown away, and the snapshot fetched anew."""
    world = World(25)

    async def scenario() -> None:
        await with_a_long_past(world)
        broker = world.node(11, voters=(1, 2, 3), controller_quorum_fetch_snapshot_max_bytes=1000)
        await broker.start()
        files = broker.quorum.log.files
        append = files.append_part
        flips = [700]

        def flipping(snapshot: SnapshotId, pieces: Any) -> None:
            data = bytearray(bytes(pieces[0]))
            if flips:
                data[flips.pop()] ^= 0x10
            append(snapshot, (bytes(data),))

        files.append_part = flipping  # type: ignore[method-assign]
        await world.until(lambda: broker.heard.names == ALL)
        assert flips == []
        assert any("checksum" in one and "fetched again" in one for one in broker.quorum.notes)
        assert broker.failures == []

    world.run(scenario())


def test_a_new_leader_without_the_snapshot_gives_its_own() -> None:
    """630-18: SNAPSHOT_NOT_FOUND in the middle of a download begins it anew with another id."""
    world = World(31)

    async def scenario() -> None:
        await with_a_long_past(world)
        leader = await world.leader()
        own = await leader.quorum.make_snapshot()
        assert own is not None
        broker = world.node(11, voters=(1, 2, 3), controller_quorum_fetch_snapshot_max_bytes=300)
        positions: list[int] = []
        await broker.start()
        watch_pieces(broker, positions)
        await world.until(lambda: len(positions) >= 3)
        leader.crash()
        await world.until(lambda: broker.heard.names == ALL)
        assert broker.heard.snapshots
        assert own not in broker.heard.snapshots
        assert positions.count(0) == 2

    world.run(scenario())


def test_fetch_snapshot_errors_in_their_order() -> None:
    """630-12: topic, epoch, id, position; and the answer always tells the leader."""
    world = World(29)

    async def scenario() -> None:
        await with_a_long_past(world)
        leader = await world.leader()
        epoch = leader.quorum.leader.epoch
        latest = leader.quorum.log.files.latest
        assert latest is not None
        size = leader.quorum.log.files.size(latest)

        async def ask(**changes: Any) -> Any:
            asked: dict[str, Any] = {
                "epoch": epoch,
                "id": latest,
                "position": 0,
                "topic": "__cluster_metadata",
            }
            asked.update(changes)
            wire_id = WireId(end_offset=asked["id"].end_offset, epoch=asked["id"].epoch)
            partition = PartitionSnapshot(
                current_leader_epoch=asked["epoch"],
                snapshot_id=wire_id,
                position=asked["position"],
            )
            request = FetchSnapshotRequest(
                cluster_id=CLUSTER_ID,
                replica_id=77,
                max_bytes=500,
                topics=[TopicSnapshot(name=asked["topic"], partitions=[partition])],
            )
            return (await world.ask(leader, request)).topics[0].partitions[0]

        assert (await ask(topic="a")).error_code == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
        assert (await ask(epoch=epoch - 1)).error_code == ErrorCode.FENCED_LEADER_EPOCH
        assert (await ask(epoch=epoch + 1)).error_code == ErrorCode.UNKNOWN_LEADER_EPOCH
        gone = await ask(id=SnapshotId(3, 1))
        assert gone.error_code == ErrorCode.SNAPSHOT_NOT_FOUND
        assert gone.current_leader.leader_id == leader.node_id
        assert (await ask(id=SnapshotId(0, 0))).error_code == ErrorCode.SNAPSHOT_NOT_FOUND
        assert (await ask(position=size)).error_code == ErrorCode.POSITION_OUT_OF_RANGE
        assert (await ask(position=-1)).error_code == ErrorCode.POSITION_OUT_OF_RANGE
        found = await ask(position=size - 100)
        assert found.error_code == 0
        assert (found.size, found.position) == (size, size - 100)
        content = leader.disk.read_file(f"{METADATA}/{latest.file_name}")
        assert bytes(found.unaligned_records) == content[size - 100 :]

    world.run(scenario())
