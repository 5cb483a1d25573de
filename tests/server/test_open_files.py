"""More partitions than descriptors: all are made, written, read, flushed, and found again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from kit.broker import Bench, running
from kit.list_logger import ListLogger
from kit.log_batches import batch
from kit.logs import SMALL, append, read_all
from kit.waiting import until

from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.core.log.resting import Resting
from barnabas.broker.server import open_files
from barnabas.broker.server.limits import Limits
from barnabas.broker.server.open_files import limit_connections, limit_open_files
from barnabas.broker.storage.descriptors import connections_of
from barnabas.broker.storage.files import RealDisk, RealFile, real_env

from .crashed_stores import RECORDS, crashed

PARTITIONS = 60
FILES_MAX = 12


def limited(bench: Bench) -> RealDisk:
    """The disk of this broker, which may have few files open from now on."""
    disk = bench.broker.env.disk
    assert isinstance(disk, RealDisk)
    config = replace(BrokerConfig(), log_open_files_max=FILES_MAX)
    limit_open_files(disk, config, bench.broker.replicas.directories, ListLogger())
    return disk


async def test_partitions_are_not_bounded_by_descriptors(tmp_path: Path) -> None:
    """Goal: nothing is offline, at once or after a start; no more files are open than may be."""
    async with running(tmp_path, real_env()) as bench:
        disk = limited(bench)
        bench.create_topic("t", PARTITIONS)
        logs = [partition.log for partition in bench.broker.replicas]
        assert len(logs) == PARTITIONS
        for number in range(3):
            for log in logs:
                append(log, batch(b"%d" % number))
                assert disk.files.count <= FILES_MAX
        for log in logs:
            assert len(read_all(log)) == 3
            assert disk.files.count <= FILES_MAX + 1
        for partition in bench.broker.replicas:
            bench.broker.flushes.request(partition)
        await until(lambda: all(log.recovery_point == 3 for log in logs))
        assert not bench.broker.replicas.unavailable


def test_opening_leaves_no_descriptor_behind(tmp_path: Path) -> None:
    """Goal: a node that starts with many logs has none of their files open."""
    local = crashed(tmp_path)
    disk = local.directories[0].env.disk
    assert isinstance(disk, RealDisk)
    directory = local.directories[0]
    before = disk.files.count
    for found in directory.partitions():
        log = directory.load(found, SMALL)
        assert log.log_end_offset == RECORDS
        assert disk.files.count == before


async def test_idle_logs_go_first(tmp_path: Path) -> None:
    """Goal: who is written to keeps its file, and a log under a flush is left alone."""
    async with running(tmp_path, real_env()) as bench:
        bench.create_topic("t", 4)
        logs = [partition.log for partition in bench.broker.replicas]
        resting = Resting(lambda: logs)
        assert resting.make_room(1) == 1  # nobody is known to be idle: the first
        for log in logs:
            append(log, batch(b"a"))
        assert resting.make_room(1) == 1  # likewise the second
        append(logs[0], batch(b"b"))
        assert logs[2].flush_files()
        assert resting.make_room(1) == 1
        files = [log.segments[-1].file for log in logs]
        is_open = [isinstance(file, RealFile) and file._fd >= 0 for file in files]
        assert is_open == [True, False, True, False]
        logs[2].mark_flushed(1)


def test_connections_leave_descriptors_for_logs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Goal: the limit of connections is never so high that a log could not be opened."""
    monkeypatch.setattr(open_files, "descriptor_limit", lambda: 1024)
    log = ListLogger()
    limits = Limits(BrokerConfig())
    limit_connections(limits, log)
    assert limits.connections_max == connections_of(1024)
    assert len(log.lines) == 1
    limits = Limits(BrokerConfig(max_connections=10))
    limit_connections(limits, log)
    assert (limits.connections_max, len(log.lines)) == (10, 1)
