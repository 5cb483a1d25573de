"""Fetches of a batch whose base offset has rotten on the disk: all else in them is answered."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from kit.batches import batch
from kit.broker import running
from kit.fetching import base_offsets, fetch, wanted
from kit.producing import send
from kit.rotten import turn_bit

COUNT, ROTTEN = 40, 25
LONGEST_S = 20
"""Only a test that fails waits so long."""


@pytest.mark.parametrize("bit", [0x80, 0x40], ids=["negative", "out of reach"])
async def test_other_partitions_of_the_fetch(tmp_path: Path, bit: int) -> None:
    """I-5: an answer comes with the records of the partition that is whole, as if alone."""
    async with running(tmp_path) as bench, bench.connect() as client:
        bench.create_topic("t", 2)
        for _ in range(COUNT):
            assert (await send(client, batch(b"x" * 5000))).error_code == 0
        assert (await send(client, batch(b"whole"), index=1)).error_code == 0
        turn_bit(tmp_path / "t-0" / "00000000000000000000.log", ROTTEN, 0, bit)
        request = fetch(wanted(ROTTEN, 0), wanted(0, 1))
        answer = await asyncio.wait_for(client.ask(request, 11), LONGEST_S)
        assert answer.error_code == 0
        rows = {row.partition_index: row for topic in answer.responses for row in topic.partitions}
        assert rows[1].error_code == 0
        assert base_offsets(rows[1].records) == [0]
        before = await asyncio.wait_for(client.ask(fetch(wanted(0, 0)), 11), LONGEST_S)
        (row,) = before.responses[0].partitions
        assert base_offsets(row.records)[:ROTTEN] == list(range(ROTTEN))
