"""Appending and reading: offsets, boundaries, limits, rolling."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from kit.log_batches import BASE_TIME, Batch, batch
from kit.logs import (
    SMALL,
    append,
    config_of,
    env_of,
    files_in,
    offsets_of,
    open_log,
    read_all,
    split,
)

from barnabas.broker.core.log.origin import Origin
from barnabas.protocol.errors import ErrorCode, KafkaError


def test_offsets_and_leader_epoch_are_stamped_and_nothing_else_changes(tmp_path: Path) -> None:
    """Goal: a stored batch is the client's but for base offset and leader epoch."""
    log = open_log(tmp_path)
    first, second = batch(b"a", b"b"), batch(b"c")
    assert append(log, first, leader_epoch=3).base_offset == 0
    result = append(log, second, leader_epoch=3)
    assert (result.base_offset, result.last_offset, result.append_time_ms) == (2, 2, -1)
    stored = split(log.read(0, 10_000, 3))
    assert stored[0] == struct.pack(">qii", 0, len(first) - 12, 3) + bytes(first[16:])
    assert stored[1] == struct.pack(">qii", 2, len(second) - 12, 3) + bytes(second[16:])
    assert (log.log_start_offset, log.log_end_offset) == (0, 3)


def test_batches_of_one_buffer(tmp_path: Path) -> None:
    """Goal: a batch is taken from where it lies in a larger buffer, also by way of the checks."""
    log = open_log(tmp_path)
    data = memoryview(bytes(batch(b"a", b"b")) + bytes(batch(b"c")))
    cut = len(batch(b"a", b"b"))
    first = log.append_batch(data, 0, cut, 0, BASE_TIME)
    second = log.append_batch(data, cut, len(data), 0, BASE_TIME, Origin.COORDINATOR)
    assert (first.base_offset, first.last_offset) == (0, 1)
    assert (second.base_offset, second.last_offset) == (2, 2)
    assert len(read_all(log)) == 2


def test_a_read_in_the_middle_of_a_batch_gives_the_whole_batch(tmp_path: Path) -> None:
    """Goal: 74-01; every offset leads to the batch that holds it, across segments."""
    log = open_log(tmp_path)
    for number in range(60):
        append(log, batch(*[b"x" * 40] * (number % 4 + 1)))
    assert len(log.segments) > 3
    for offset in range(log.log_end_offset):
        raw = split(log.read(offset, 1, log.log_end_offset))
        assert len(raw) == 1
        base, last = offsets_of(raw[0])
        assert base <= offset <= last
    assert read_all(log, max_bytes=1) == read_all(log, max_bytes=100_000)


def test_limits_hold_on_batch_boundaries(tmp_path: Path) -> None:
    """Goal: never more than max_bytes but for one batch; never a batch that reaches the bound."""
    log = open_log(tmp_path, config_of(index_interval_bytes=200))
    sizes = [len(batch(*[b"x" * 40] * (number % 4 + 1))) for number in range(40)]
    for number in range(40):
        append(log, batch(*[b"x" * 40] * (number % 4 + 1)))
    for limit in (0, 1, sizes[0] - 1, sizes[0], sizes[0] + 1, 500, 1000, sum(sizes), 1 << 20):
        data = log.read(0, limit, log.log_end_offset)
        assert len(data) <= max(limit, sizes[0])
        fitting = max(sum(sizes[:n]) for n in range(41) if sum(sizes[:n]) <= limit)
        assert len(data) == (fitting or sizes[0])
        none = log.read(0, limit, log.log_end_offset, at_least_one_batch=False)
        assert len(none) == fitting
    for upper in range(log.log_end_offset + 5):
        raw = split(log.read(0, 1 << 20, upper))
        assert all(offsets_of(part)[1] < upper for part in raw)
        following = offsets_of(raw[-1])[1] + 1 if raw else 0
        if following < min(upper, log.log_end_offset):
            assert offsets_of(split(log.read(following, 1, 1 << 40))[0])[1] >= upper


@pytest.mark.parametrize("offset", [-1, 3, 100])
def test_out_of_range(tmp_path: Path, offset: int) -> None:
    """Goal: only offsets from log start to log end are answered."""
    log = open_log(tmp_path)
    append(log, batch(b"a", b"b"))
    assert log.read(2, 100, 2) == b""
    with pytest.raises(KafkaError) as raised:
        log.read(offset, 100, 2)
    assert raised.value.code == ErrorCode.OFFSET_OUT_OF_RANGE


def test_rolls_by_size(tmp_path: Path) -> None:
    """Goal: no segment is larger than allowed, and each begins with its own offset."""
    log = open_log(tmp_path)
    for _ in range(50):
        append(log, batch(b"x" * 100))
    assert len(log.segments) > 2
    for segment in log.segments:
        assert segment.size <= 2000
        first = split(segment.file.pread(segment.size, 0))[0]
        assert offsets_of(first)[0] == segment.base_offset
    assert [int(path.stem) for path in files_in(tmp_path, ".log")] == [
        segment.base_offset for segment in log.segments
    ]


def test_rolls_by_time_of_the_records(tmp_path: Path) -> None:
    """Goal: age is the distance of timestamps from the segment's first batch, as in Kafka."""
    config = config_of(segment_ms=1000, message_timestamp_after_max_ms=1 << 60)
    log = open_log(tmp_path, config)
    append(log, batch(timestamp=BASE_TIME))
    append(log, batch(timestamp=BASE_TIME + 1000))
    assert len(log.segments) == 1
    append(log, batch(timestamp=BASE_TIME + 1001))
    assert [segment.base_offset for segment in log.segments] == [0, 2]
    append(log, batch(timestamp=BASE_TIME - 5000))
    assert len(log.segments) == 2


def test_jitter_makes_segments_roll_earlier(tmp_path: Path) -> None:
    """Goal: segment.jitter.ms is taken off segment.ms, drawn anew for each segment."""
    config = config_of(segment_ms=1000, segment_jitter_ms=900)
    log = open_log(tmp_path, config)
    jitters = set()
    for _ in range(8):
        append(log, batch())
        jitters.add(log._writer._rolling.jitter_ms)
        log.roll()
    assert len(jitters) > 3
    assert all(0 <= jitter < 900 for jitter in jitters)


def test_rolls_when_an_index_is_full(tmp_path: Path) -> None:
    """Goal: segment.index.bytes bounds both indexes (one time entry stays free for the close)."""
    config = config_of(segment_index_bytes=48, index_interval_bytes=0)
    log = open_log(tmp_path, config)
    for number in range(40):
        append(log, batch(timestamp=BASE_TIME + number))
    log.close()
    assert all(path.stat().st_size <= 48 for path in files_in(tmp_path, "index"))
    assert len(files_in(tmp_path, ".log")) > 5


def test_rolls_when_offsets_would_overflow(tmp_path: Path) -> None:
    """Goal: offsets in a segment stay within int32 of its base, also for a follower's gaps."""
    log = open_log(tmp_path, config_of())
    append(log, batch())
    log.append_as_follower(Batch(base_offset=2**31 - 1, leader_epoch=0).encoded)
    assert len(log.segments) == 1
    log.append_as_follower(Batch(base_offset=2**31 + 5, leader_epoch=0).encoded)
    assert [segment.base_offset for segment in log.segments] == [0, 2**31 + 5]
    assert [offsets_of(raw)[0] for raw in read_all(log)] == [0, 2**31 - 1, 2**31 + 5]


def test_follower_keeps_offsets_and_epochs(tmp_path: Path) -> None:
    """Goal: a follower writes what it got, learns epochs (101-01), leaves out a cut last batch."""
    log = open_log(tmp_path)
    parts = [
        Batch(base_offset=5, leader_epoch=1, values=(b"a", b"b")).encoded,
        Batch(base_offset=9, leader_epoch=4).encoded,
        Batch(base_offset=10, leader_epoch=4).encoded,
    ]
    end = log.append_as_follower(b"".join(parts)[:-3])
    assert end == log.log_end_offset == 10
    assert b"".join(read_all(log)) == bytes(parts[0] + parts[1])
    assert log.leader_epochs.entries() == [(1, 5), (4, 9)]
    with pytest.raises(KafkaError):
        log.append_as_follower(parts[0])


def test_too_large(tmp_path: Path) -> None:
    """Goal: max.message.bytes counts the whole batch; nothing is written."""
    log = open_log(tmp_path, config_of(max_message_bytes=200))
    with pytest.raises(KafkaError) as raised:
        append(log, batch(b"x" * 200))
    assert raised.value.code == ErrorCode.MESSAGE_TOO_LARGE
    log.update_config(config_of(internal_segment_bytes=100))
    with pytest.raises(KafkaError) as raised:
        append(log, batch(b"x" * 200))
    assert raised.value.code == ErrorCode.RECORD_LIST_TOO_LARGE
    assert log.log_end_offset == 0


def test_timestamps_ahead_are_refused(tmp_path: Path) -> None:
    """Goal: message.timestamp.after.max.ms (one hour), by the header alone."""
    log = open_log(tmp_path)
    append(log, batch(timestamp=BASE_TIME + 3_600_000))
    with pytest.raises(KafkaError) as raised:
        append(log, batch(timestamp=BASE_TIME + 3_600_001))
    assert raised.value.code == ErrorCode.INVALID_TIMESTAMP


def test_control_batches_of_clients_are_refused(tmp_path: Path) -> None:
    """Goal: only coordinators and the metadata quorum write control batches."""
    log = open_log(tmp_path)
    with pytest.raises(KafkaError) as raised:
        append(log, batch(attributes=0x20))
    assert raised.value.code == ErrorCode.INVALID_RECORD
    append(log, batch(attributes=0x20), origin=Origin.RAFT)
    assert log.log_end_offset == 1


def test_closed_segments_give_their_files_back(tmp_path: Path) -> None:
    """Goal: however many segments are read, only a few stay open."""
    log = open_log(tmp_path)
    for _ in range(200):
        append(log, batch(b"x" * 100))
    log.flush()
    read_all(log)
    read_all(log)
    opened = [segment for segment in log.segments if segment.is_ready]
    assert len(log.segments) > 10
    assert len(opened) <= 5


def test_epoch_of_a_new_leader_without_records(tmp_path: Path) -> None:
    """Goal: 101-02 over what `assign_epoch` and appends left."""
    log = open_log(tmp_path)
    append(log, batch(b"a", b"b"), leader_epoch=2)
    append(log, batch(b"c"), leader_epoch=5)
    log.assign_epoch(6)
    append(log, batch(b"d"), leader_epoch=8)
    assert log.leader_epochs.entries() == [(2, 0), (5, 2), (8, 3)]
    answers = {epoch: log.end_offset_for_epoch(epoch) for epoch in (-1, 0, 2, 3, 5, 7, 8, 9)}
    assert answers == {
        -1: (-1, -1),
        0: (0, 0),
        2: (2, 2),
        3: (2, 2),
        5: (5, 3),
        7: (5, 3),
        8: (8, 4),
        9: (-1, -1),
    }


def test_two_logs_do_not_share_state(tmp_path: Path) -> None:
    """Goal: plain objects; one environment may serve many logs."""
    env = env_of()
    one, two = open_log(tmp_path / "a", SMALL, env), open_log(tmp_path / "b", SMALL, env)
    append(one, batch())
    assert (one.log_end_offset, two.log_end_offset) == (1, 0)
