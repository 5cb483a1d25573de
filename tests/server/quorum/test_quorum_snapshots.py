"""Snapshots of a running quorum: made when due, loaded from the leader, checked, let go."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from barnabas.broker.core.raft.snapshot_file import SnapshotId
from barnabas.broker.server.formatting import MetadataError
from barnabas.broker.server.quorum import log_cleaner
from barnabas.broker.server.quorum.snapshots import SnapshotFiles
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.fetch_snapshot_request import (
    FetchSnapshotRequest,
    PartitionSnapshot,
    TopicSnapshot,
)
from barnabas.protocol.messages.fetch_snapshot_request import SnapshotId as WireId

from .world import CLUSTER_ID, METADATA, SimulatedNode, World, features

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore:coroutine")


@pytest.fixture(autouse=True)
def _small_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    """A snapshot closes its segment, so that what is before the log's start really goes."""
    monkeypatch.setattr(log_cleaner, "ROLL_FROM_BYTES", 1)


def files_of(node: SimulatedNode) -> list[str]:
    names = node.disk.list_directory(METADATA)
    return [name for name in names if name.endswith((".checkpoint", ".part"))]


async def begun(world: World, node: SimulatedNode) -> None:
    """The first record says which versions of the others may be written."""
    node.quorum.append(features(21), node.quorum.leader.epoch)
    await node.commit("first")


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"controller_snapshot_minimum_records": 20}, "records"),
        ({"metadata_log_max_record_bytes_between_snapshots": 2000}, "bytes"),
        ({"metadata_log_max_snapshot_interval_ms": 30_000}, "age"),
    ],
)
def test_a_snapshot_is_made_when_it_is_due(settings: dict[str, Any], reason: str) -> None:
    """630-05, 630-06: by records, by bytes or by age; every node makes its own."""
    world = World(21)

    async def scenario() -> None:
        nodes = await world.voters(3, **settings)
        leader = await world.leader()
        await begun(world, leader)
        names = [f"topic-{number}" for number in range(30)]
        for name in names:
            await leader.commit(name)
        if reason == "age":
            assert all(one.quorum.log.files.latest is None for one in nodes)
            await asyncio.sleep(40)
        await world.until(lambda: all(one.quorum.log.files.latest for one in nodes))
        for one in nodes:
            assert not any(name.endswith(".part") for name in files_of(one))
        # Restart from the snapshot and what came after it.
        await leader.commit("last")
        for one in nodes:
            one.crash()
            await one.start()
        for one in nodes:
            await world.until(
                lambda one=one: one.heard.names == ["first", *names, "last"]  # type: ignore[misc]
            )
            assert len(one.heard.snapshots) == 1

    world.run(scenario())


async def with_a_long_past(world: World, **settings: Any) -> list[SimulatedNode]:
    """Three voters whose logs begin with a snapshot, and a leader that has more."""
    nodes = await world.voters(
        3,
        controller_snapshot_minimum_records=50,
        metadata_max_retention_bytes=1,
        controller_quorum_fetch_snapshot_max_bytes=1000,
        **settings,
    )
    leader = await world.leader()
    await begun(world, leader)
    for number in range(60):
        await leader.commit(f"topic-{number}")
    await world.until(lambda: all(one.quorum.log.start_offset > 0 for one in nodes))
    await leader.commit("last")
    return nodes


ALL = ["first", *(f"topic-{number}" for number in range(60)), "last"]


def test_the_logs_start_rises_behind_a_snapshot_on_all_nodes() -> None:
    """630-07, 630-08, 630-09: the leader's by its wish and the gate, the followers' with it."""
    world = World(22)

    async def scenario() -> None:
        nodes = await with_a_long_past(world)
        for one in nodes:
            ids = one.quorum.log.files.ids
            assert one.quorum.log.start_offset <= ids[0].end_offset
            assert ids
        for one in nodes:
            one.crash()
            await one.start()
        for one in nodes:
            await world.until(lambda one=one: one.heard.names == ALL)  # type: ignore[misc]

    world.run(scenario())


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
        broker = world.node(11, voters=(1, 2, 3), controller_quorum_fetch_snapshot_max_bytes=300)
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


def cut(data: bytes) -> bytes:
    return data[:-30]


def flip(data: bytes) -> bytes:
    return data[:400] + bytes([data[400] ^ 1]) + data[401:]


def no_footer(data: bytes) -> bytes:
    from barnabas.protocol.record_batch import iter_batch_headers

    last = [position for position, _ in iter_batch_headers(data)][-1]
    return data[:last]


@pytest.mark.parametrize(
    ("damage", "text"), [(cut, "is cut"), (flip, "checksum"), (no_footer, "footer")]
)
def test_a_damaged_snapshot_at_boot_is_put_aside_by_name(
    damage: Callable[[bytes], bytes], text: str
) -> None:
    """630-03, 630-11: without its snapshot a log that begins late is fetched anew."""
    world = World(26)

    async def scenario() -> None:
        nodes = await with_a_long_past(world)
        leader = await world.leader()
        victim = next(one for one in nodes if one is not leader)
        name = files_of(victim)[-1]
        assert victim.quorum.log.log.first_segment_offset > 0
        victim.crash()
        path = f"{METADATA}/{name}"
        victim.disk.write_file_atomically(path, damage(victim.disk.read_file(path)))
        await victim.start()
        assert victim.quorum.log.start_offset == 0
        assert any(name in one and text in one for one in victim.quorum.notes)
        await world.until(lambda: victim.heard.names == ALL)
        assert victim.failures == []

    world.run(scenario())


def test_a_quorum_of_one_without_its_snapshot_does_not_start() -> None:
    """630-11: nobody else has what is lost, so it is said instead of forgotten."""
    world = World(27)

    async def scenario() -> None:
        node = world.node(
            1,
            voters=(1,),
            controller_snapshot_minimum_records=50,
            metadata_max_retention_bytes=1,
        )
        await node.start()
        await begun(world, node)
        for number in range(60):
            await node.commit(f"topic-{number}")
        await world.until(lambda: node.quorum.log.start_offset > 0)
        await node.stop()
        for name in files_of(node):
            node.disk.remove(f"{METADATA}/{name}")
        with pytest.raises(MetadataError, match="630-11"):
            await node.start()

    world.run(scenario())


def test_partial_files_are_removed_at_boot() -> None:
    """630-02: what was not finished has another name, and counts for nothing."""
    world = World(28)

    async def scenario() -> None:
        node = world.node(1, voters=(1,))
        await node.start()
        await node.commit("a")
        node.crash(lose_power=False)
        part = f"{METADATA}/{SnapshotId(7, 1).file_name}.part"
        node.disk.open(part, create=True).append((b"half of a snapshot",))
        deleted = f"{METADATA}/{SnapshotId(3, 1).file_name}.deleted"
        node.disk.open(deleted, create=True)
        await node.start()
        assert not node.disk.exists(part)
        assert not node.disk.exists(deleted)
        assert node.quorum.log.files.ids == []
        await world.until(lambda: node.heard.names == ["a"])

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


def test_a_snapshot_that_is_being_read_may_be_retired() -> None:
    """630-19: it is not found any more, and its file goes a minute later."""
    world = World(30)

    async def scenario() -> None:
        nodes = await with_a_long_past(world)
        files: SnapshotFiles = nodes[0].quorum.log.files
        latest = files.latest
        assert latest is not None
        assert files.read(latest, 0, 10)
        files.retire(latest)
        assert files.read(latest, 0, 10) is None
        assert files.size(latest) == -1
        path = f"{METADATA}/{latest.file_name}.deleted"
        assert nodes[0].disk.exists(path)
        await asyncio.sleep(50)
        assert nodes[0].disk.exists(path)
        await asyncio.sleep(20)
        assert not nodes[0].disk.exists(path)

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


def test_a_snapshot_reaches_no_further_than_what_is_committed() -> None:
    """630-04, 630-05: what is appended and not committed is in no snapshot, also not at the leader."""
    world = World(32)

    async def scenario() -> None:
        nodes = await world.voters(3)
        leader = await world.leader()
        await begun(world, leader)
        for other in nodes:
            if other is not leader:
                world.network.cut(leader.name, other.name)
        end = leader.quorum.high_watermark
        leader.append("not committed")
        made, second = await asyncio.gather(
            leader.quorum.make_snapshot(), leader.quorum.make_snapshot()
        )
        assert made is not None
        assert made == (end, leader.quorum.leader.epoch)
        assert second is None, "never two at a time"
        names = [getattr(one, "name", "") for one in leader.quorum.log.files.load(made).records]
        assert "first" in names
        assert "not committed" not in names
        # Again at the same place: there is one already, and it is not written twice.
        assert await leader.quorum.make_snapshot() is None

    world.run(scenario())
