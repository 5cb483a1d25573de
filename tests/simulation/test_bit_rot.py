"""Disks whose bits flip: where they do, and that the cluster gets over it."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from kit.batches import batch, record

from barnabas.broker.core.log.failures import CorruptSnapshotError
from barnabas.broker.core.log.producer_entry import ProducerEntry
from barnabas.broker.core.log.producer_snapshots import decode_snapshot, encode_snapshot
from barnabas.protocol.batch_errors import CorruptBatchError
from barnabas.protocol.record_batch import check_batch
from barnabas.testing.simulation.bit_rot import draw_bit
from barnabas.testing.simulation.checks.replica_logs import CompactedLogs
from barnabas.testing.simulation.disk import SimulatedDisk
from barnabas.testing.simulation.hooks import InvariantError


def _disk(**files: bytes) -> SimulatedDisk:
    disk = SimulatedDisk(Random(1))
    disk.put_back({f"/{name.replace('_', '.')}": data for name, data in files.items()})
    return disk


@pytest.mark.parametrize("seed", range(60))
def test_a_flipped_bit_of_batches_is_one_that_readers_notice(seed: int) -> None:
    """Goal: nobody is blamed for not seeing what cannot be seen."""
    batches = batch(b"one"), batch(b"two", b"three", base_offset=1)
    disk = _disk(a_log=b"".join(batches), b_txt=b"no checksum")
    drawn = draw_bit(disk, Random(seed))
    assert drawn is not None
    path, bit = drawn
    disk.flip_bit(path, bit)
    content = disk.content_of("/a.log")
    at = 0 if bit // 8 < len(batches[0]) else len(batches[0])
    with pytest.raises(CorruptBatchError):
        check_batch(content, at, len(content))


@pytest.mark.parametrize("seed", range(20))
def test_a_flipped_bit_of_producers_is_noticed(seed: int) -> None:
    disk = _disk(a_snapshot=encode_snapshot([ProducerEntry(1, 2, 3, 4, 5)]))
    drawn = draw_bit(disk, Random(seed))
    assert drawn is not None
    disk.flip_bit(*drawn)
    with pytest.raises(CorruptSnapshotError):
        decode_snapshot(bytes(disk.content_of("/a.snapshot")))


def test_a_disk_without_checksums_does_not_rot() -> None:
    assert draw_bit(_disk(a_txt=b"text", b_log=b"no batch"), Random(1)) is None


class Exchange:
    """A log of one segment that was exchanged by the cleaner."""

    def __init__(self, before: bytes, after: bytes) -> None:
        disk = SimpleNamespace(content_of=lambda path: before)
        new = _segment(after)
        self.log: Any = SimpleNamespace(
            name="t-0",
            rules=SimpleNamespace(compact=True),
            env=SimpleNamespace(disk=disk),
            segments=[new],
        )
        self.fields = {"log": self.log, "old": [_segment(before)], "new": new}

    def check(self) -> None:
        CompactedLogs().exchanged("node-1", ("00", 0), self.fields)


def _segment(data: bytes) -> Any:
    file = SimpleNamespace(pread=lambda size, offset: data[offset : offset + size])
    return SimpleNamespace(size=len(data), file=file, path=lambda: "/t.log")


def _keyed(offset: int, value: bytes | None) -> bytes:
    return batch(records=record(0, value, b"k"), count=1, base_offset=offset)


def test_a_record_may_go_together_with_the_deletion_of_its_key() -> None:
    """CMP-04: a replica that copied a deletion late has it with the time at which it goes."""
    Exchange(_keyed(3, b"v") + _keyed(7, None), b"").check()


def test_the_last_record_of_a_key_may_not_go() -> None:
    """CMP-04: whatever was before it."""
    with pytest.raises(InvariantError, match="t-0@7 is gone"):
        Exchange(_keyed(3, b"v") + _keyed(7, b"w"), b"").check()
