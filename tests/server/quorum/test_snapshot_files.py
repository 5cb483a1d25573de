"""Snapshots of the metadata log as files: whole or not there, let go of, and gone on from."""

from __future__ import annotations

import asyncio

import pytest

from barnabas.broker.server.quorum import log_cleaner

from .long_past import ALL, begun, files_of, with_a_long_past
from .world import METADATA, World

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore:coroutine")


@pytest.fixture(autouse=True)
def _small_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    """A snapshot closes its segment, so that what is before the log's start really goes."""
    monkeypatch.setattr(log_cleaner, "ROLL_FROM_BYTES", 1)


def test_power_is_lost_while_a_snapshot_is_made() -> None:
    """630-02: at whatever moment, there is the whole file or none under its name; once it is
    said to be made, it is there."""
    kept = lost = 0
    for seed in range(12):
        world = World(40 + seed)

        async def scenario(world: World = world, seed: int = seed) -> None:
            nonlocal kept, lost
            node = world.node(1, voters=(1,))
            await node.start()
            await begun(world, node)
            names = [f"topic-{number}" for number in range(20)]
            await node.commit(*names)
            making = world.loop.create_task(node.quorum.make_snapshot())
            if seed:
                await asyncio.sleep(seed * 0.0004)
            else:
                assert await making is not None
            is_made = making.done()
            node.crash()
            making.cancel()
            # Work of a machine without power ends as it likes; nobody is there to hear how.
            making.add_done_callback(lambda done: done.cancelled() or done.exception())
            await node.start()
            files = node.quorum.log.files
            assert not is_made or files.latest is not None
            if files.latest is None:
                lost += 1
                assert files_of(node) == []
            else:
                kept += 1
                found = [getattr(one, "name", "") for one in files.load(files.latest).records]
                assert set(names) <= set(found)
            await world.until(lambda: node.heard.names == ["first", *names])

        world.run(scenario())
    assert kept > 0
    assert lost > 0


def test_snapshots_from_before_the_logs_start_go() -> None:
    """630-07, 630-09: the log begins at its oldest snapshot; older ones are renamed, and their
    files go after a minute; one stays."""
    world = World(60)

    async def scenario() -> None:
        nodes = await with_a_long_past(world)
        leader = await world.leader()
        first = {one.node_id: one.quorum.log.files.ids[0] for one in nodes}
        for number in range(60):
            await leader.commit(f"more-{number}")
        await world.until(
            lambda: all(
                one.quorum.log.start_offset > first[one.node_id].end_offset for one in nodes
            )
        )
        for one in nodes:
            oldest = one.quorum.log.files.ids[0]
            assert oldest.end_offset == one.quorum.log.start_offset
            retired = f"{METADATA}/{first[one.node_id].file_name}"
            assert not one.disk.exists(retired)
            assert one.disk.exists(f"{retired}.deleted")
        await asyncio.sleep(80)
        for one in nodes:
            assert not one.disk.exists(f"{METADATA}/{first[one.node_id].file_name}.deleted")
            assert files_of(one), "one is always kept"

    world.run(scenario())


def test_what_follows_a_snapshot_is_applied_without_a_gap() -> None:
    """630-16: after it was loaded come the records from its end offset on, each once."""
    world = World(61)

    async def scenario() -> None:
        nodes = await with_a_long_past(world)
        leader = await world.leader()
        late = world.node(7, voters=(1, 2, 3))
        await late.start()
        await world.until(lambda: late.heard.names == ALL)
        (loaded,) = late.heard.snapshots
        assert 0 < loaded.end_offset < late.heard.next_offset
        await leader.commit("after")
        # The listener itself refuses a batch that does not begin where the one before ended.
        await world.until(lambda: late.heard.names == [*ALL, "after"])
        assert late.heard.next_offset == leader.heard.next_offset
        assert all(one.heard.snapshots == [] for one in nodes), "who had it all loads nothing"

    world.run(scenario())
