"""Batches that stay in their segment until they are sent."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from kit.descriptors import descriptors_of
from kit.log_batches import batch
from kit.logs import append, config_of, env_of, open_log

from barnabas.broker.core.log.partition_log import PartitionLog
from barnabas.broker.core.log.stored_records import StoredRecords
from barnabas.broker.core.ports import Buffer, Disk
from barnabas.broker.core.reads import finish
from barnabas.broker.storage.files import RealDisk
from barnabas.testing.simulation.disk import SimulatedDisk

CONFIG = config_of(internal_segment_bytes=4000, index_interval_bytes=300)


def disk_of(name: str) -> Disk:
    return RealDisk() if name == "real" else SimulatedDisk(Random(0), names_are_durable=True)


@pytest.fixture(params=["real", "simulated"])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> PartitionLog:
    """Forty batches of very different sizes, in several segments."""
    disk = disk_of(request.param)
    directory = str(tmp_path / "t-0")
    disk.make_directory(directory)
    log = open_log(directory, CONFIG, env_of(disk))
    sizes = Random(3)
    for _ in range(40):
        append(log, batch(*[b"x" * sizes.randrange(300)] * sizes.randrange(1, 5)))
    return log


def find(
    log: PartitionLog, offset: int, max_bytes: int, upper: int, *, first: bool = True
) -> Buffer | StoredRecords:
    """Where they are."""
    return finish(
        log.reader.finding(offset, max_bytes, upper, at_least_one_batch=first, lent_from=1)
    )


def lend(log: PartitionLog, offset: int, max_bytes: int, upper: int, *, first: bool) -> bytes:
    """What is found, read piece by piece."""
    found = find(log, offset, max_bytes, upper, first=first)
    if not isinstance(found, StoredRecords):
        assert not found
        return b""
    parts = []
    for at in range(0, len(found), 50):
        part = found.read_now(50, at)
        parts.append(bytes(found.read(50, at)) if part is None else bytes(part))
    data = b"".join(parts)
    assert len(data) == len(found)
    assert data == bytes(found)
    return data


@pytest.mark.parametrize("first", [True, False])
def test_the_same_as_what_is_read(log: PartitionLog, first: bool) -> None:
    """74-01: whole batches, from the one with the offset, with the same bounds as a read."""
    end = log.log_end_offset
    for offset in range(0, end, 3):
        for max_bytes in (0, 1, 61, 200, 500, 1500, 1 << 20):
            for upper in (end, end - 5):
                expected = bytes(log.read(offset, max_bytes, upper, at_least_one_batch=first))
                assert lend(log, offset, max_bytes, upper, first=first) == expected


def test_the_offset_behind_them(log: PartitionLog) -> None:
    """98-06 needs to know where an answer ends: the next read begins there, without a gap."""
    offset, data = 0, b""
    while offset < log.log_end_offset:
        found = find(log, offset, 700, 1 << 60)
        assert isinstance(found, StoredRecords)
        data += bytes(found)
        offset = found.next_offset
    assert data == b"".join(bytes(segment.file.pread(segment.size, 0)) for segment in log.segments)


def test_they_outlive_their_segment(log: PartitionLog) -> None:
    """Goal: retention, deletion and the end of the log take nothing from who is being answered."""
    found = find(log, 0, 1000, 1 << 60)
    assert isinstance(found, StoredRecords)
    expected = bytes(found)
    log.truncate_fully_and_start_at(1000)
    log.close()
    assert bytes(found.read(len(found), 0)) == expected
    assert not found.is_cut


def test_a_cut_below_them_is_told(log: PartitionLog) -> None:
    """279-01: after a truncation other bytes may stand there; before it nothing is amiss."""
    end = log.log_end_offset
    base = log.segments[-1].base_offset
    whole = find(log, base, 1 << 20, end)
    assert isinstance(whole, StoredRecords)
    assert not whole.is_cut
    log.truncate_to(end - 1)
    append(log, batch(b"other" * 100))
    assert whole.is_cut
    fresh = find(log, base, 1 << 20, end)
    assert isinstance(fresh, StoredRecords)
    assert not fresh.is_cut


def test_one_descriptor_serves_all_loans_of_a_file(tmp_path: Path) -> None:
    """Goal: who asks often and reads nothing takes one descriptor of a file, and gives it back."""
    disk = RealDisk()
    file = disk.open(str(tmp_path / "f"), create=True)
    file.append([bytes(1000)])
    loans = [file.lend(10, number) for number in range(100)]
    assert descriptors_of(tmp_path / "f") == 2
    file.close()
    last = loans[-1]
    assert last is not None
    assert bytes(last.read(10, 0)) == bytes(10)
    del last
    loans.clear()
    assert descriptors_of(tmp_path / "f") == 0
