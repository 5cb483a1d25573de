"""The group coordinator of one broker: shards come and go with leadership."""

from __future__ import annotations

import asyncio
import gc
import sys
from pathlib import Path
from typing import Any

import pytest
from kit.broker import NODE_ID, Bench, running
from kit.waiting import eventually, until

from barnabas.broker.core.coordination.groups.group import Committer
from barnabas.broker.core.coordination.groups.group_machine import GroupMachine
from barnabas.broker.core.coordination.groups.offsets.committed import Committed
from barnabas.broker.core.coordination.groups.offsets.group_offsets import Wanted
from barnabas.broker.core.coordination.machine import Outcome, Reply
from barnabas.broker.core.log.failures import LogDirectoryFailure
from barnabas.broker.server.coordinators import loading
from barnabas.protocol.coordinator_records import encode_key, encode_value
from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.partition_change_record import PartitionChangeRecord
from barnabas.protocol.record_builder import RecordBatchBuilder

TOPIC = "__consumer_offsets"
NOBODY = Committer("", -1, None, 9)
PARTITION = ("t", 0)


def made(bench: Bench, partitions: int = 1, **configs: object) -> bytes:
    return bench.create_topic(TOPIC, partitions, cleanup_policy="compact", **configs)


async def loaded(bench: Bench, count: int = 1) -> None:
    await until(lambda: bench.broker.groups.figures()["GroupCoordinator.ShardsActive"] == count)


async def commit(bench: Bench, offset: int, group: str = "g") -> list[ErrorCode]:
    return await bench.broker.groups.write(
        group,
        lambda machine: machine.offsets.commit(group, NOBODY, [Wanted(PARTITION, offset)]),
    )


async def offset_of(bench: Bench, group: str = "g") -> int | None:
    def look(machine: GroupMachine, at: int) -> int | None:
        (found,) = machine.offsets.fetch(group, [PARTITION], at=at)
        return found.offset if isinstance(found, Committed) else None

    return await bench.broker.groups.read(group, look)


async def refused(work: Any) -> ErrorCode:
    with pytest.raises(KafkaError) as caught:
        await work
    return caught.value.code


async def test_a_shard_follows_the_leader_epochs(tmp_path: Path) -> None:
    """Loaded where this broker begins to lead, unloaded where another does (CRT-04, CRT-13)."""
    async with running(tmp_path) as bench:
        assert await refused(commit(bench, 1)) is ErrorCode.NOT_COORDINATOR
        topic_id = made(bench)
        assert await refused(commit(bench, 1)) is ErrorCode.COORDINATOR_LOAD_IN_PROGRESS
        await loaded(bench)
        await commit(bench, 1)
        bench.new_epoch(topic_id, leader=2)
        assert await refused(commit(bench, 2)) is ErrorCode.NOT_COORDINATOR
        assert await refused(offset_of(bench)) is ErrorCode.NOT_COORDINATOR
        assert await bench.broker.groups.read_all(lambda machine, at: at) == []
        bench.new_epoch(topic_id)
        bench.new_epoch(topic_id)
        await loaded(bench)
        assert await offset_of(bench) == 1
        await commit(bench, 3)
        assert await offset_of(bench) == 3
        loads = bench.broker.groups.shards.loads
        bench.new_epoch(topic_id, index=0)
        await until(lambda: bench.broker.groups.shards.loads > loads)
        assert await offset_of(bench) == 3


async def test_who_waits_is_refused_when_leadership_goes(tmp_path: Path) -> None:
    """Parked answers and writes get 16 (CRT-18)."""
    async with running(tmp_path) as bench:
        topic_id = made(bench)
        await loaded(bench)

        def wait(machine: GroupMachine, reply: Reply[int]) -> Outcome[None]:
            record = Committed(1).record("g", PARTITION)
            return Outcome(None, [record])

        parked = asyncio.ensure_future(bench.broker.groups.park("g", wait))
        await asyncio.sleep(0)
        bench.new_epoch(topic_id, leader=2)
        assert await refused(parked) is ErrorCode.NOT_COORDINATOR


async def test_too_few_replicas_refuse_before_the_append(tmp_path: Path) -> None:
    """As Produce with acks=all does: 19, told as 15, and nothing is kept (CRT-05, 966-01)."""
    async with running(tmp_path) as bench:
        made(bench)
        await loaded(bench)
        await commit(bench, 1)
        partition = bench.broker.replicas.get(TOPIC, 0)
        assert partition is not None
        partition.as_leader().in_sync.min_count = 2
        assert await refused(commit(bench, 2)) is ErrorCode.COORDINATOR_NOT_AVAILABLE
        partition.as_leader().in_sync.min_count = 1
        assert await offset_of(bench) == 1
        assert partition.log.log_end_offset == 1
        await commit(bench, 3)
        assert await offset_of(bench) == 3


async def test_what_was_acknowledged_is_told_after_a_change_of_leader(tmp_path: Path) -> None:
    """The new leader knows of a watermark below it; reads wait for it to move (CRT-14)."""
    async with running(tmp_path) as bench:
        topic_id = made(bench)
        await loaded(bench)
        await commit(bench, 1)

        def change(isr: list[int], leader: int) -> None:
            change = PartitionChangeRecord(partition_id=0, topic_id=topic_id, isr=isr)
            change.replicas, change.leader = [NODE_ID, 2], leader
            bench.apply(change)

        change([NODE_ID, 2], NODE_ID)
        await loaded(bench)
        writing = asyncio.ensure_future(commit(bench, 2))  # held by broker 2 soon, or never
        partition = bench.broker.replicas.get(TOPIC, 0)
        assert partition is not None
        await until(lambda: partition.log.log_end_offset == 2)
        change([NODE_ID, 2], NODE_ID)
        assert await refused(writing) is ErrorCode.NOT_COORDINATOR
        await loaded(bench)
        one, every = (
            asyncio.ensure_future(offset_of(bench)),
            asyncio.ensure_future(bench.broker.groups.read_all(lambda machine, at: at)),
        )
        for _ in range(10):
            await asyncio.sleep(0)  # an answer that waits for nothing needs one turn
        assert not one.done()
        assert not every.done()
        change([NODE_ID], -2)  # broker 2 is gone: what the others have is committed
        assert await one == 2
        assert await every == [2]


async def test_a_shard_that_lost_its_place_in_the_log_is_loaded_anew(tmp_path: Path) -> None:
    """Somebody else has appended: the state is not the log's any more (CRT-12)."""
    async with running(tmp_path) as bench:
        made(bench)
        await loaded(bench)
        await commit(bench, 1)
        partition = bench.broker.replicas.get(TOPIC, 0)
        assert partition is not None
        stray = next(iter(_batches(9)))
        partition.append(memoryview(stray), 0, len(stray), 0)
        assert await refused(commit(bench, 2)) is ErrorCode.NOT_COORDINATOR
        await until(lambda: bench.broker.groups.shards.loads == 2)
        assert await offset_of(bench) == 2, "the batch is in the log all the same"
        bench.log.lines.clear()


def _batches(*offsets: int) -> list[bytes]:
    found = []
    for offset in offsets:
        record = Committed(offset).record("h", PARTITION)
        builder = RecordBatchBuilder()
        assert record.value is not None
        builder.append(0, encode_key(record.key), encode_value(record.value, record.version))
        found.append(builder.build())
    return found


async def test_a_value_of_a_later_version_fails_the_load(tmp_path: Path) -> None:
    """16 until the next election, and the node's log says why; unknown types are skipped
    (CRT-15)."""
    async with running(tmp_path) as bench:
        topic_id = made(bench)
        await loaded(bench)
        await commit(bench, 1)
        partition = bench.broker.replicas.get(TOPIC, 0)
        assert partition is not None
        unknown, late = RecordBatchBuilder(), RecordBatchBuilder()
        unknown.append(0, b"\0\x63key", b"\0\0value")
        late.append(0, b"\0\1\0\1g\0\1t\0\0\0\0", b"\0\x63")
        data = unknown.build()
        partition.append(memoryview(data), 0, len(data), 0)
        bench.new_epoch(topic_id)
        await until(lambda: bench.broker.groups.shards.loads == 2)
        assert await offset_of(bench) == 1
        assert any("unknown type" in str(line) for line in bench.log.lines)
        data = late.build()
        partition.append(memoryview(data), 0, len(data), 0)
        bench.new_epoch(topic_id)
        await until(lambda: bench.broker.groups.figures()["GroupCoordinator.ShardsFailed"])
        assert await refused(commit(bench, 2)) is ErrorCode.NOT_COORDINATOR
        assert any("could not be loaded" in str(line) for line in bench.log.lines)
        bench.log.lines.clear()


async def test_a_load_that_fails_leaves_nothing_to_the_collector(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Goal: what reads the log is closed with the load, not when it happens to be collected."""
    left: list[Any] = []

    def fail(*_: object) -> None:
        raise KafkaError(ErrorCode.CORRUPT_MESSAGE)

    async with running(tmp_path) as bench:
        topic_id = made(bench)
        await loaded(bench)
        await commit(bench, 1)
        monkeypatch.setattr(loading, "decode_slice", fail)
        hooks = sys.get_asyncgen_hooks()
        sys.set_asyncgen_hooks(finalizer=left.append)
        try:
            bench.new_epoch(topic_id)
            await until(lambda: bench.broker.groups.figures()["GroupCoordinator.ShardsFailed"])
            gc.collect()
        finally:
            sys.set_asyncgen_hooks(*hooks)
        assert left == []
        bench.log.lines.clear()


async def test_a_log_that_fails_makes_no_empty_shard(tmp_path: Path) -> None:
    """The disk goes while the shard loads: 16, not active and empty (CRT-13)."""
    async with running(tmp_path) as bench:
        topic_id = made(bench)
        await loaded(bench)
        await commit(bench, 1)
        partition = bench.broker.replicas.get(TOPIC, 0)
        assert partition is not None
        bench.new_epoch(topic_id)
        failure = partition.log.fail("writing", OSError("gone"))
        partition.on_disk_failure(failure)
        assert isinstance(failure, LogDirectoryFailure)
        await until(lambda: bench.broker.groups.figures()["GroupCoordinator.ShardsFailed"])
        assert await refused(offset_of(bench)) is ErrorCode.NOT_COORDINATOR
        assert bench.broker.groups.shards.loads == 1


async def test_a_node_that_stops_coordinates_nothing(tmp_path: Path) -> None:
    """15 while it stops, and for who waits 16 (CRT-04, CRT-18)."""
    async with running(tmp_path) as bench:
        made(bench)
        await loaded(bench)
        await bench.broker.groups.stop()
        assert await refused(commit(bench, 1)) is ErrorCode.COORDINATOR_NOT_AVAILABLE
        reading = bench.broker.groups.read_all(lambda machine, at: at)
        assert await refused(reading) is ErrorCode.COORDINATOR_NOT_AVAILABLE


async def test_lists_fail_as_a_whole_while_a_shard_loads(tmp_path: Path) -> None:
    """14, since what is loaded is not all (CRT-04)."""
    async with running(tmp_path) as bench:
        made(bench, 3)
        reading = bench.broker.groups.read_all(lambda machine, at: at)
        assert await refused(reading) is ErrorCode.COORDINATOR_LOAD_IN_PROGRESS
        await loaded(bench, 3)
        assert await bench.broker.groups.read_all(lambda machine, at: at) == [0, 0, 0]


async def test_a_deleted_topic_takes_its_groups_with_it(tmp_path: Path) -> None:
    """Who creates it again begins with nothing (CRT-13)."""
    async with running(tmp_path) as bench:
        topic_id = made(bench, 4)
        await loaded(bench, 4)
        await commit(bench, 1)
        bench.delete_topic(topic_id)
        assert await refused(offset_of(bench)) is ErrorCode.NOT_COORDINATOR
        made(bench, 2)
        await loaded(bench, 2)
        assert await offset_of(bench) is None


async def test_a_topic_deleted_during_a_load_takes_its_offsets_with_it(tmp_path: Path) -> None:
    """Else a topic that is made again under its name is read from an offset of the old (OFF-22)."""
    async with running(tmp_path) as bench:
        groups_id = made(bench)
        topic_id = bench.create_topic("t", 1)
        await loaded(bench)
        await commit(bench, 7)
        bench.new_epoch(groups_id)
        assert await refused(commit(bench, 8)) is ErrorCode.COORDINATOR_LOAD_IN_PROGRESS
        bench.delete_topic(topic_id)
        await loaded(bench)
        # What the shard was to remove while it loaded is tried again until it is here.
        await eventually(lambda: offset_of(bench), lambda offset: offset is None)
