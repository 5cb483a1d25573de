"""The cleaner threads of a broker: which log they clean, when, and what they do about errors."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from kit.batches import batch
from kit.broker import Bench, running
from kit.compacting import keyed, table_of
from kit.producing import send
from kit.raw_client import RawClient
from kit.waiting import until

from barnabas.broker.core.log.log_directory import LogDirectory
from barnabas.broker.core.log.partition_log import PartitionLog
from barnabas.broker.core.replication.partition import Partition
from barnabas.broker.storage.files import real_env

SMALL: dict[str, Any] = {"cleanup_policy": "compact", "internal_segment_bytes": 2000}
AT_ONCE: dict[str, Any] = {"log_cleaner_backoff_ms": 5}


def partition_of(bench: Bench, topic: str = "t") -> Partition:
    found = bench.broker.replicas.get(topic, 0)
    assert found is not None
    return found


async def fill(client: RawClient, log: PartitionLog, keys: int = 7, rounds: int = 200) -> None:
    """Values of a few keys, over several segments, all flushed."""
    for number in range(rounds):
        key = b"key %d" % (number % keys)
        row = await send(client, bytes(keyed((key, b"value %d" % number * 5))), topic=log.topic)
        assert row.error_code == 0
    log.roll()
    log.flush()


async def cleaned(log: PartitionLog) -> None:
    """Wait until there is nothing dirty below the segment that is written to."""
    await until(lambda: log.compaction.clean_end == log.segments.active.base_offset)
    await until(lambda: not log.compaction.is_running)


async def test_a_compacted_topic_is_compacted(tmp_path: Path) -> None:
    """CMP-02, CMP-15: in the background; the checkpoint says how far, the start does not move."""
    async with running(tmp_path, **AT_ONCE) as bench, bench.connect() as client:
        bench.create_topic("t", **SMALL)
        log = partition_of(bench).log
        await fill(client, log)
        before = table_of(log)
        size = log.size_bytes
        await cleaned(log)
        assert table_of(log) == before
        assert log.size_bytes < size / 10
        assert log.log_start_offset == 0
        checkpoint = tmp_path / "cleaner-offset-checkpoint"
        assert checkpoint.read_text() == "0\n1\nt 0 200\n"
        figures = bench.broker.figures()
        assert figures["LogCleanerManager.uncleanable-partitions-count"] == 0
        assert figures["LogCleaner.DeadThreadCount"] == 0
        assert figures["LogCleanerManager.time-since-last-run-ms"] >= 0


async def test_others_are_left_alone(tmp_path: Path) -> None:
    """CMP-01: without `compact` in its policy, and where the switch is off, nothing is cleaned."""
    async with running(tmp_path / "a", **AT_ONCE) as bench, bench.connect() as client:
        bench.create_topic("t", internal_segment_bytes=2000)
        bench.create_topic("u", **SMALL)
        await fill(client, partition_of(bench).log)
        await fill(client, partition_of(bench, "u").log)
        await cleaned(partition_of(bench, "u").log)
        assert partition_of(bench).log.compaction.clean_end is None
    async with running(tmp_path / "b", log_cleaner_enable=False, **AT_ONCE) as bench:
        assert not bench.broker.compactor.tasks


async def test_a_damaged_log_is_passed_over(tmp_path: Path) -> None:
    """CMP-17: it is counted and told of, keeps all it has, and the others are cleaned."""
    async with running(tmp_path, **AT_ONCE) as bench, bench.connect() as client:
        for topic in ("t", "u"):
            bench.create_topic(topic, min_cleanable_dirty_ratio=1.0, **SMALL)
            await fill(client, partition_of(bench, topic).log)
        bad, good = partition_of(bench).log, partition_of(bench, "u").log
        content = flip_bit(Path(bad.segments[0].path()))
        for log in (bad, good):
            log.update_config(log_config(bench, min_cleanable_dirty_ratio=0.0))
        await cleaned(good)
        await until(lambda: bad.compaction.uncleanable)
        assert "checksum" in bad.compaction.uncleanable
        assert bad.failure is None
        assert bytes(bad.segments[0].file.pread(1 << 20, 0)) == content
        figures = bench.broker.figures()
        assert figures["LogCleanerManager.uncleanable-partitions-count"] == 1
        warnings = [text for level, text, _ in bench.log.lines if level == "warning"]
        assert sum("cannot be compacted" in text for text in warnings) == 1


def flip_bit(path: Path) -> bytes:
    """Rot in a record; the file as it is now."""
    content = bytearray(path.read_bytes())
    content[100] ^= 1
    path.write_bytes(content)
    return bytes(content)


def log_config(bench: Bench, **settings: Any) -> Any:
    return replace(partition_of(bench).config, **settings)


async def test_a_disk_that_refuses_takes_the_log_offline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """CMP-17: as any other failure of the disk."""
    async with running(tmp_path, **AT_ONCE) as bench, bench.connect() as client:
        bench.create_topic("t", min_cleanable_dirty_ratio=1.0, **SMALL)
        partition = partition_of(bench)
        await fill(client, partition.log)

        def refuse(path: str) -> None:
            raise OSError(5, "Input/output error")

        monkeypatch.setattr(bench.broker.env.disk, "fsync_directory", refuse)
        partition.log.update_config(log_config(bench, min_cleanable_dirty_ratio=0.0))
        await until(lambda: partition.is_offline)
        assert "compacting" in str(partition.log.failure)
        monkeypatch.undo()


async def test_a_topic_is_deleted_while_it_is_cleaned(tmp_path: Path) -> None:
    """CMP-16: the round ends without a word of failure."""
    async with running(tmp_path, **AT_ONCE) as bench, bench.connect() as client:
        topic_id = bench.create_topic("t", **SMALL)
        log = partition_of(bench).log
        await fill(client, log)
        await until(lambda: log.compaction.is_running)
        bench.delete_topic(topic_id)
        await until(lambda: not log.compaction.is_running)
        assert log.failure is None
        assert "-delete" in log.directory


async def test_the_budget_is_kept(tmp_path: Path) -> None:
    """Goal: what all threads read and write in a second is bounded, and a stop does not wait."""
    settings = {"log_cleaner_io_max_bytes_per_second": 10.0, **AT_ONCE}
    async with running(tmp_path, **settings) as bench, bench.connect() as client:
        bench.create_topic("t", **SMALL)
        log = partition_of(bench).log
        await fill(client, log)
        await until(lambda: log.compaction.is_running)
        await until(lambda: bench.broker.compactor.is_waiting_for_budget)
        assert log.compaction.clean_end == 0
    assert not log.compaction.is_running


async def test_what_was_cleaned_is_there_after_a_stop(tmp_path: Path) -> None:
    """Goal: a node that stops in the middle of a round leaves a log that opens (CMP-14)."""
    async with running(tmp_path, **AT_ONCE) as bench, bench.connect() as client:
        bench.create_topic("t", **SMALL)
        log = partition_of(bench).log
        await fill(client, log)
        table = table_of(log)
        config = partition_of(bench).config
        await until(lambda: log.compaction.is_running)
        for _ in range(20):
            await asyncio.sleep(0)
    directory = LogDirectory(str(tmp_path), real_env())
    directory.open()
    assert directory.clean
    (found,) = directory.partitions()
    opened = directory.load(found, config)
    assert table_of(opened) == table
    directory.close()


async def test_records_without_key_are_refused(tmp_path: Path) -> None:
    """CMP-20: the whole batch with 87; nothing of it is appended, other partitions do not mind."""
    async with running(tmp_path) as bench, bench.connect() as client:
        bench.create_topic("t", **SMALL)
        bench.create_topic("u")
        row = await send(client, batch(b"a", b"b"))
        assert row.error_code == 87
        assert [one.batch_index for one in row.record_errors] == [0, 1]
        assert partition_of(bench).log.log_end_offset == 0
        assert (await send(client, batch(b"a"), topic="u")).error_code == 0
