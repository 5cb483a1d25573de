"""What a leader serves that has just been elected and has not committed all it holds."""

from __future__ import annotations

from pathlib import Path

from core.replication.replicas import from_leader
from server.harness import running

from .clusters import Follower, create_replicated, elect, register
from .test_fetch import base_offsets, fetch, read, wanted
from .test_offsets import ask_offset


async def test_committed_records_are_read_in_the_window(tmp_path: Path) -> None:
    """207-04: LATEST is refused, what lies below the watermark is read as ever; then both go on."""
    async with running(tmp_path) as bench, bench.connect() as client:
        register(bench)
        create_replicated(bench, leader=2)
        partition = bench.broker.replicas.get("t", 0)
        assert partition is not None
        for offset in range(6):
            partition.append_from_leader(from_leader(offset), 0, 4, 0)
        elect(bench, 1)
        assert (partition.high_watermark, partition.epoch_start_offset) == (4, 6)

        assert (await ask_offset(client, -1, 5)).error_code == 78
        for offset in range(4):
            data = await read(client, fetch(wanted(offset)), 11)
            assert (data.error_code, data.high_watermark) == (0, 4)
            assert base_offsets(data.records) == list(range(offset, 4))

        for broker_id in (2, 3):
            await Follower(client, broker_id).fetch(6)
        assert (await ask_offset(client, -1, 5)).offset == 6
        data = await read(client, fetch(wanted(3)), 11)
        assert base_offsets(data.records) == [3, 4, 5]
