"""Look-ups by time: what a header promises, what the records say, how much is decoded for it."""

from __future__ import annotations

import struct
from pathlib import Path

import crc32c
import pytest
from kit.log_batches import BASE_TIME, batch
from kit.logs import append, config_of, offset_for_timestamp, open_log

from barnabas.broker.core.log import record_times
from barnabas.broker.core.log.record_times import first_record
from barnabas.broker.core.log.time_search import TimeSearch
from barnabas.broker.core.reads import CHANGED, finish, unless_changed
from barnabas.protocol.batch_errors import InvalidBatchError
from barnabas.protocol.compression import Codec, compress
from barnabas.protocol.record_builder import RecordBatchBuilder
from barnabas.protocol.records import decode_batch

LIMIT = 1 << 20
CONFIG = config_of(message_timestamp_after_max_ms=1 << 60)


def built(*times: int, codec: Codec = Codec.NONE) -> bytearray:
    """A batch with records of these times."""
    builder = RecordBatchBuilder(codec=codec)
    for time in times:
        builder.append(BASE_TIME + time, b"key", b"value" * 50, (("h", b"x"),))
    return bytearray(builder.build())


def promising(data: bytearray, max_timestamp: int) -> bytearray:
    """The same with another largest timestamp in its header, and a right CRC."""
    struct.pack_into(">q", data, 35, max_timestamp)
    struct.pack_into(">I", data, 17, crc32c.crc32c(memoryview(data)[21:]))
    return data


@pytest.mark.parametrize("codec", Codec)
def test_the_same_record_as_decoding_all_finds(codec: Codec) -> None:
    """207-06: the first record of the time or later, not before the log's start."""
    times = [0, 40, 3, -70, 41, 100_000, 41]
    data = bytes(built(*times, codec=codec))
    records = decode_batch(data)
    for time in (-1000, -70, 0, 1, 3, 40, 41, 42, 99_999, 100_000, 100_001):
        for start in range(len(times) + 1):
            wanted = [
                (record.timestamp, record.offset, record.leader_epoch)
                for record in records
                if record.timestamp >= BASE_TIME + time and record.offset >= start
            ]
            found = first_record(data, BASE_TIME + time, start, LIMIT)
            assert found == (wanted[0] if wanted else None)


def test_no_more_is_decoded_than_needed() -> None:
    """Goal: what is wrong behind the record that was found is not looked at; ENV-13 bounds it."""
    good = built(1, 2, 3)
    broken = promising(good[:-4] + b"\xff\xff\xff\xff", BASE_TIME + 3)
    assert first_record(broken, BASE_TIME + 2, 0, LIMIT) == (BASE_TIME + 2, 1, -1)
    cut = batch(b"a" * 200)[:-150]
    struct.pack_into(">i", cut, 8, len(cut) - 12)
    with pytest.raises(InvalidBatchError):
        first_record(promising(cut, 0), BASE_TIME, 0, LIMIT)
    body = compress(Codec.ZSTD, bytes(2 * LIMIT))
    bomb = built(1, codec=Codec.ZSTD)[:61] + body
    struct.pack_into(">i", bomb, 8, len(bomb) - 12)
    with pytest.raises(InvalidBatchError, match="more than"):
        first_record(promising(bomb, BASE_TIME), BASE_TIME, 0, LIMIT)


def test_a_promise_that_no_record_keeps(tmp_path: Path) -> None:
    """207-06: a batch whose header has a time that none of its records has hides no other."""
    log = open_log(tmp_path, CONFIG)
    append(log, built(1, 2))
    liar = promising(built(3, 4, codec=Codec.ZSTD), BASE_TIME + 10**6)
    struct.pack_into(">qii", liar, 0, 2, len(liar) - 12, 0)
    log.append_as_follower(memoryview(liar))
    append(log, built(7, 8))
    append(log, built(500))
    log.high_watermark = log.log_end_offset
    assert offset_for_timestamp(log, BASE_TIME + 4) == (BASE_TIME + 4, 3, 0)
    assert offset_for_timestamp(log, BASE_TIME + 5) == (BASE_TIME + 7, 4, 0)
    assert offset_for_timestamp(log, BASE_TIME + 9) == (BASE_TIME + 500, 6, 0)
    assert offset_for_timestamp(log, BASE_TIME + 501) is None


def test_headers_are_looked_through_in_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Goal: where the index says little, others get their turn; the search goes on from there."""
    monkeypatch.setattr("barnabas.broker.core.log.time_search.BATCHES_PER_TURN", 10)
    log = open_log(tmp_path, config_of(index_interval_bytes=1 << 20))
    for _ in range(35):
        append(log, batch(b"v"))
    append(log, batch(b"v", timestamp=BASE_TIME + 5))
    steps = TimeSearch(log, BASE_TIME + 5).searching()
    turns = 0
    planned = steps.send(None)
    with pytest.raises(StopIteration) as end:
        while True:
            turns += planned is None
            planned = steps.send(None if planned is None else planned.wait())
    assert turns == 3
    assert end.value.value == (BASE_TIME + 5, 35, 0)
    assert offset_for_timestamp(log, BASE_TIME + 5) == (BASE_TIME + 5, 35, 0)


def test_retention_between_two_steps(tmp_path: Path) -> None:
    """Goal: a search goes on with what is left of the log, and reads no file that left it."""
    log = open_log(tmp_path, config_of(internal_segment_bytes=300))
    for number in range(12):
        append(log, batch(b"v" * 60, timestamp=BASE_TIME + number % 3))
    search = TimeSearch(log, BASE_TIME + 2)
    steps = unless_changed(search.searching(), lambda: log.reader.changes)
    planned = steps.send(None)
    assert planned is not None
    data = planned.wait()
    log.truncate_fully_and_start_at(100)
    with pytest.raises(StopIteration) as end:
        steps.send(data)
    assert end.value.value is CHANGED
    assert finish(search.searching()) is None


def test_the_decoder_reads_no_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """Goal: a batch of today is not turned into records."""

    def refuse(*_: object) -> None:
        raise AssertionError("decoded in full")

    monkeypatch.setattr(record_times, "decode_batch", refuse)
    assert first_record(bytes(built(1, 2)), BASE_TIME + 2, 0, LIMIT) is not None
