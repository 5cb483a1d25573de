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

from .long_past import ALL, begun, files_of, with_a_long_past
from .world import METADATA, World

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore:coroutine")


@pytest.fixture(autouse=True)
def _small_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    """A snapshot closes its segment, so that what is before the log's start really goes."""
    monkeypatch.setattr(log_cleaner, "ROLL_FROM_BYTES", 1)


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


def test_the_logs_start_rises_behind_a_snapshot_on_all_nodes() -> None:
    """630-07, 630-08: the leader's by its wish and the gate, the followers' with it."""
    world = World(22)

    async def scenario() -> None:
        nodes = await with_a_long_past(world)
        for one in nodes:
            ids = one.quorum.log.files.ids
            assert 0 < one.quorum.log.start_offset == ids[0].end_offset
        for one in nodes:
            one.crash()
            await one.start()
        for one in nodes:
            await world.until(lambda one=one: one.heard.names == ALL)  # type: ignore[misc]

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
        assert victim.disk.exists(f"{path}.damaged")
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
        names = files_of(node)
        for name in names:
            path = f"{METADATA}/{name}"
            node.disk.write_file_atomically(path, flip(node.disk.read_file(path)))
        for _ in range(2):
            with pytest.raises(MetadataError, match=r"630-11.*damaged") as told:
                await node.start()
            assert all(name in str(told.value) for name in names)

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


def test_a_snapshot_reaches_no_further_than_what_is_committed() -> None:
    """630-04, 630-05: what is not committed is in no snapshot, also not at the leader."""
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


class _Slow:
    """The module `asyncio` of a node whose snapshots take long to be written."""

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)

    async def sleep(self, _: float) -> None:
        await asyncio.sleep(3.0)


def test_a_snapshot_that_is_older_than_the_log_when_it_is_written_is_let_go(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """630-09: the leader's has replaced the log meanwhile; the oldest says who needs a newer one
    (630-10), so replicas at the log's start would load that one again and again."""
    world = World(35)

    async def scenario() -> None:
        nodes = await world.voters(
            3, controller_snapshot_minimum_records=50, metadata_max_retention_bytes=1
        )
        leader = await world.leader()
        await begun(world, leader)
        late = next(one for one in nodes if one is not leader)
        await world.until(lambda: late.heard.names == ["first"])
        for other in nodes:
            if other is not late:
                world.network.cut(late.name, other.name)
        for number in range(60):
            await leader.commit(f"topic-{number}")
        await world.until(lambda: leader.quorum.log.start_offset > late.quorum.log.end_offset)
        monkeypatch.setattr(log_cleaner, "asyncio", _Slow())
        making = asyncio.get_running_loop().create_task(late.quorum.make_snapshot())
        world.network.heal()
        await world.until(lambda: late.heard.snapshots)
        assert not making.done()
        assert await making is None
        files = late.quorum.log.files
        assert list(files.ids) == late.heard.snapshots
        assert files_of(late) == [one.file_name for one in late.heard.snapshots]

    world.run(scenario())
