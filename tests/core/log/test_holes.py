"""Offsets that a log lacks, or that cannot be: no checksum covers the base offset of a batch."""

from __future__ import annotations

from pathlib import Path

import pytest
from kit.logs import config_of, env_of, offsets_of, open_log, read_all
from kit.replicas import from_leader

from barnabas.broker.core.config.topic import TopicConfig
from barnabas.broker.core.log.log_directory import LogDirectory
from barnabas.broker.core.log.partition_log import PartitionLog
from barnabas.protocol.errors import ErrorCode, KafkaError

END, FAR = 25, 1000
"""Where a log's hole begins, and where it ends."""

ONE_SEGMENT = config_of(index_interval_bytes=100)
"""Its index has an entry for each second batch."""

OUT_OF_REACH = 1 << 40


def with_a_hole(
    directory: Path, config: TopicConfig = ONE_SEGMENT, *, rolls: bool = False
) -> PartitionLog:
    """Batches at 0 to 24 and at 1000, as of a leader whose batch 25 says that it is batch 1000.

    `rolls`: that one begins a segment.
    """
    log = open_log(directory, config)
    for offset in range(END):
        log.append_as_follower(from_leader(offset))
    if rolls:
        log.roll()
    log.append_as_follower(from_leader(FAR))
    assert len(log.segments) == 1 + rolls
    return log


def begins_of(log: PartitionLog) -> list[int]:
    return [offsets_of(raw)[0] for raw in read_all(log)]


@pytest.mark.parametrize("offset", [END + 1, 40, FAR - 1])
@pytest.mark.parametrize("rolls", [False, True], ids=["one segment", "a segment behind it"])
def test_a_cut_that_meets_a_hole(tmp_path: Path, offset: int, *, rolls: bool) -> None:
    """I-5, 279-01: the log ends where the hole begins, and what the leader has there comes."""
    log = with_a_hole(tmp_path, rolls=rolls)
    assert log.truncate_to(offset) == END
    assert log.log_end_offset == END
    for following in range(END, 42):
        log.append_as_follower(from_leader(following))
    assert begins_of(log) == list(range(42))
    log.close()
    again = open_log(tmp_path, ONE_SEGMENT, clean=True)
    assert (again.log_end_offset, begins_of(again)) == (42, list(range(42)))


@pytest.mark.parametrize("rolls", [False, True], ids=["one segment", "a segment behind it"])
def test_holes_of_a_compacted_topic_stay(tmp_path: Path, *, rolls: bool) -> None:
    """CMP-13: there nothing is missing: a log that ended before it would ask for what is gone."""
    compacted = config_of(cleanup_policy=("compact",), index_interval_bytes=100)
    log = with_a_hole(tmp_path, compacted, rolls=rolls)
    assert log.truncate_to(40) == 40
    log.append_as_follower(from_leader(40))
    assert begins_of(log) == [*range(END), 40]


def test_a_hole_at_the_start_of_the_log(tmp_path: Path) -> None:
    """Goal: no log ends before its start, where records were deleted up to the middle of it."""
    log = with_a_hole(tmp_path)
    log.high_watermark = log.log_end_offset
    log.advance_log_start(30)
    assert log.truncate_to(40) == 30
    log.append_as_follower(from_leader(30))
    assert begins_of(log) == [30]


@pytest.mark.parametrize(
    ("begins", "code"),
    [
        ((0, 1, 0), ErrorCode.OFFSET_OUT_OF_RANGE),
        ((0, 1, 1, 2), ErrorCode.OFFSET_OUT_OF_RANGE),
        ((0, -(1 << 63), 2), ErrorCode.OFFSET_OUT_OF_RANGE),
        ((0, 1, OUT_OF_REACH), ErrorCode.CORRUPT_MESSAGE),
    ],
    ids=["backwards", "twice", "negative", "out of reach"],
)
def test_a_follower_takes_no_offsets_that_cannot_be(
    tmp_path: Path, begins: tuple[int, ...], code: ErrorCode
) -> None:
    """I-5: what has rotten at the leader is refused whole, and the log stays as it is."""
    log = open_log(tmp_path)
    answer = b"".join(map(bytes, map(from_leader, begins)))
    with pytest.raises(KafkaError) as refused:
        log.append_as_follower(memoryview(answer))
    assert refused.value.code == code
    assert (log.failure, log.log_end_offset, read_all(log)) == (None, 0, [])
    log.append_as_follower(memoryview(bytes(from_leader(0)) + bytes(from_leader(1))))
    assert begins_of(log) == [0, 1]


def test_a_follower_takes_holes(tmp_path: Path) -> None:
    """CMP-13: a leader's answer lacks what compaction left out."""
    log = open_log(tmp_path)
    log.append_as_follower(memoryview(bytes(from_leader(3)) + bytes(from_leader(FAR))))
    assert (begins_of(log), log.log_end_offset) == ([3, FAR], FAR + 1)


@pytest.mark.parametrize("rolls", [False, True], ids=["one segment", "a segment behind it"])
def test_holes_of_a_leader_stay_after_a_kill(tmp_path: Path, *, rolls: bool) -> None:
    """CMP-23: a log that is not compacted, and never was here, has them from its leader's, which
    was: what lies behind them is no lost tail."""
    directory = LogDirectory(str(tmp_path), env_of())
    directory.open()
    log = directory.create("t", 0, bytes(range(16)), ONE_SEGMENT)
    log.append_as_follower(from_leader(0))
    directory.write_checkpoints()
    if rolls:
        log.roll()
    log.append_as_follower(memoryview(bytes(from_leader(3)) + bytes(from_leader(FAR))))
    directory.cleaner_write().run()
    again = LogDirectory(str(tmp_path), env_of())
    again.open()
    (found,) = again.partitions()
    opened = again.load(found, ONE_SEGMENT)
    assert (begins_of(opened), opened.report.cuts) == ([0, 3, FAR], [])
    assert (opened.log_end_offset, opened.compaction.clean_end) == (FAR + 1, 0)
