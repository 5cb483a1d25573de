"""A replica with a damaged batch at a start: it is named, and all others are served."""

from __future__ import annotations

from pathlib import Path

import pytest
from kit.list_logger import ListLogger
from kit.log_batches import BASE_TIME, batch, marker
from kit.logs import files_in
from kit.replica_stores import Local, topic
from kit.rotten import LENGTH, turn_bit

from barnabas.broker.core.log.partition_log import PartitionLog
from barnabas.broker.core.replication.log_loading import LogLoader
from barnabas.broker.server.log_opening import LogOpener

PARTITIONS = 3
PID = 7
VALUE_OF_MARKER = 70
"""A byte of a marker's record, which its checksum covers."""


def stored(data: bytes | bytearray, offset: int) -> memoryview:
    """The batch as a leader has it at this offset."""
    return memoryview(offset.to_bytes(8, "big") + data[8:])


def fill_with_times(log: PartitionLog) -> None:
    """Two hundred batches; one in the middle has the largest timestamp, and clients' clocks
    differ."""
    for offset in range(200):
        time = BASE_TIME + (10_000_000 if offset == 100 else offset)
        log.append_as_follower(stored(batch(b"x" * 300, timestamp=time, leader_epoch=0), offset))
    log.high_watermark = log.log_end_offset


def fill_with_markers(log: PartitionLog) -> None:
    """Five transactions, and a watermark that is one record behind, as a follower's is."""
    for number in range(5):
        data = batch(producer_id=PID, epoch=0, sequence=number, attributes=0x10, leader_epoch=0)
        log.append_as_follower(stored(data, log.log_end_offset))
        log.append_as_follower(stored(marker(PID, 0, commit=True), log.log_end_offset))
    log.append_as_follower(stored(batch(leader_epoch=0), log.log_end_offset))
    log.high_watermark = log.log_end_offset - 1


def with_a_rotten_one(directory: Path, way: str) -> Local:
    """A store over three stopped replicas, of which the second one has a damaged batch."""
    fill = fill_with_times if way == "length" else fill_with_markers
    before = Local(directory)
    assert not before.directories[0].partitions()
    before.apply(*topic(partitions=PARTITIONS, leader=2))
    for partition in before.store:
        fill(partition.log)
    before.directories[0].close()
    (path,) = files_in(directory / "t-1", ".log")
    if way == "length":
        turn_bit(path, 99, LENGTH + 2, 1)
    else:
        turn_bit(path, 3, VALUE_OF_MARKER, 4)
    after = Local(directory)
    assert after.directories[0].clean
    for record in topic(partitions=PARTITIONS, leader=2):
        after.image.apply(record, after.image.last_offset + 1)
    after.image.take_changes()
    return after


def check_others_are_served(local: Local) -> None:
    assert sorted(partition.index for partition in local.store) == [0, 2]
    assert list(local.store.unavailable) == [("t", 1)]
    (fields,) = (fields for event, fields in local.reports if event == "partition is offline")
    assert (fields["topic"], fields["partition"]) == ("t", 1)
    assert "CORRUPT_MESSAGE" in str(fields["error"])


@pytest.mark.parametrize("way", ["length", "marker"])
def test_one_rotten_replica(tmp_path: Path, way: str) -> None:
    """392-02: after a stop in good order, a start ends well with one bit turned over."""
    local = with_a_rotten_one(tmp_path, way)
    LogLoader(local.store).load(local.image)
    check_others_are_served(local)


@pytest.mark.parametrize("way", ["length", "marker"])
async def test_one_rotten_replica_of_a_broker(tmp_path: Path, way: str) -> None:
    """392-02: also where logs are opened on threads, as a broker does."""
    local = with_a_rotten_one(tmp_path, way)
    await LogOpener(local.store, lambda: local.image, 2, ListLogger()).run()
    check_others_are_served(local)
