"""Aborted transactions that a fetch names: those of the records in it, and no index more."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest
from kit.broker import Bench, running
from kit.fetching import base_offsets, fetch, read, wanted
from kit.log_batches import batch, marker
from kit.raw_client import RawClient

from barnabas.broker.core.log.origin import Origin
from barnabas.broker.core.log.partition_log import PartitionLog
from barnabas.broker.core.log.transaction_index import collect_aborted

BATCH_BYTES = 400


class Transaction(NamedTuple):
    """One that was aborted."""

    producer_id: int
    first_offset: int
    marker_offset: int


class Aborted:
    """Topic t in short segments, and what a test has aborted in it."""

    def __init__(self, bench: Bench) -> None:
        bench.create_topic("t", internal_segment_bytes=2000)
        partition = bench.broker.replicas.get("t", 0)
        assert partition is not None
        self.log: PartitionLog = partition.log
        self._now_ms = bench.broker.env.clock.wall_ms()
        self._open: dict[int, int] = {}
        self.transactions: list[Transaction] = []

    def write(self, producer_id: int, sequence: int = 0) -> None:
        """A batch of a transaction, its first one or another."""
        self._open.setdefault(producer_id, self.log.log_end_offset)
        raw = batch(
            bytes(BATCH_BYTES),
            timestamp=self._now_ms,
            producer_id=producer_id,
            epoch=0,
            sequence=sequence,
            attributes=0x10,
        )
        self._append(raw, Origin.CLIENT)

    def abort(self, producer_id: int) -> None:
        first, end = self._open.pop(producer_id), self.log.log_end_offset
        self.transactions.append(Transaction(producer_id, first, end))
        self._append(marker(producer_id, 0, commit=False), Origin.COORDINATOR)

    def _append(self, raw: bytearray, origin: Origin) -> None:
        self.log.append_batch(memoryview(raw), 0, len(raw), 0, self._now_ms, origin)
        self.log.high_watermark = self.log.log_end_offset

    def needed(self, offset: int, end: int) -> list[tuple[int, int]]:
        """Those that a reader of these offsets must know, by the end of their transactions."""
        return [
            (one.producer_id, one.first_offset)
            for one in self.transactions
            if one.first_offset < end and one.marker_offset >= offset
        ]


async def read_one(client: RawClient, offset: int) -> tuple[int, list[tuple[int, int]]]:
    """A fetch of the batch at `offset`: where it ends, and the transactions that are named."""
    request = fetch(wanted(offset, size=1), isolation_level=1)
    row = await read(client, request)
    assert row.error_code == 0
    assert len(base_offsets(row.records)) == 1
    named = [(one.producer_id, one.first_offset) for one in row.aborted_transactions]
    return base_offsets(row.records)[0] + 1, named


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many entries each index had that was asked."""
    found: list[int] = []

    def collect_and_tell(entries: Any, *offsets: int) -> Any:
        found.append(len(entries))
        return collect_aborted(entries, *offsets)

    monkeypatch.setattr("barnabas.broker.core.log.aborted.collect_aborted", collect_and_tell)
    return found


async def test_a_fetch_asks_the_indexes_of_what_it_returns(
    tmp_path: Path, asked: list[int]
) -> None:
    """98-06: in a log of very many aborted transactions a reader of one batch asks one index, or
    the next one too if the marker is there: each may have to come from the disk."""
    async with running(tmp_path) as bench, bench.connect() as client:
        topic = Aborted(bench)
        for number in range(40):
            topic.write(number % 3, number // 3)
            topic.abort(number % 3)
        assert len(topic.log.segments) >= 10
        for offset in range(0, 80, 2):
            asked.clear()
            end, named = await read_one(client, offset)
            assert named == topic.needed(offset, end) == [(offset // 2 % 3, offset)]
            assert len(asked) <= 2
        asked.clear()
        await read_one(client, 0)
        assert len(asked) == 1


async def test_transactions_that_end_far_behind_the_records_are_named(
    tmp_path: Path, asked: list[int]
) -> None:
    """98-06: a transaction over many segments, whose marker is in the last one, is named with each
    of its records and those between, beside short ones that end sooner; in the order in which
    they ended. What lies before it needs no more than its own index."""
    async with running(tmp_path) as bench, bench.connect() as client:
        topic = Aborted(bench)
        long_one = 99
        topic.write(1)
        topic.abort(1)
        topic.write(long_one)
        for number in range(20):
            topic.write(number % 3, number // 3 + 1)
            topic.abort(number % 3)
        topic.write(long_one, 1)
        topic.abort(long_one)
        topic.write(50)
        topic.abort(50)
        assert len(topic.log.segments) >= 5
        offset, end_offset = 0, topic.log.log_end_offset
        while offset < end_offset:
            end, named = await read_one(client, offset)
            assert named == topic.needed(offset, end), offset
            assert ((long_one, 2) in named) == (2 <= offset <= 44)
            offset = end
        asked.clear()
        assert await read_one(client, 0) == (1, [(1, 0)])
        assert len(asked) == 1
