"""Consumers of a follower, and transactions that are open there."""

from __future__ import annotations

from pathlib import Path

from kit.broker import running
from kit.fetching import base_offsets, fetch, read, wanted
from kit.log_batches import Batch, marker

from .clusters import create_replicated, register

PRODUCER = 9


async def test_reads_stop_at_this_replicas_own_limits(tmp_path: Path) -> None:
    """392-09: at the follower's watermark, and before its first open transaction if committed
    records are asked for; aborted ranges are told to those only."""
    async with running(tmp_path) as bench, bench.connect() as client:
        register(bench)
        create_replicated(bench, leader=2)
        partition = bench.broker.replicas.get("t", 0)
        assert partition is not None
        open_one = Batch(
            base_offset=1,
            leader_epoch=0,
            producer_id=PRODUCER,
            epoch=0,
            sequence=0,
            attributes=0x10,
        )
        for batch in (
            Batch(base_offset=0, leader_epoch=0),
            open_one,
            Batch(base_offset=2, leader_epoch=0),
            Batch(base_offset=3, leader_epoch=0),
        ):
            partition.as_follower(0).append(memoryview(batch.encoded), 3, 0)
        assert (partition.high_watermark, partition.log.log_end_offset) == (3, 4)

        data = await read(client, fetch(wanted()), 11)
        assert base_offsets(data.records) == [0, 1, 2]
        assert data.aborted_transactions is None
        data = await read(client, fetch(wanted(), isolation_level=1), 11)
        assert (data.high_watermark, data.last_stable_offset) == (3, 1)
        assert base_offsets(data.records) == [0]

        end = marker(PRODUCER, 0, commit=False)
        end[:8] = (4).to_bytes(8, "big")
        end[12:16] = (0).to_bytes(4, "big")
        partition.as_follower(0).append(memoryview(end), 5, 0)
        data = await read(client, fetch(wanted(), isolation_level=1), 11)
        assert base_offsets(data.records) == [0, 1, 2, 3, 4]
        aborted = [(one.producer_id, one.first_offset) for one in data.aborted_transactions]
        assert aborted == [(PRODUCER, 1)]
