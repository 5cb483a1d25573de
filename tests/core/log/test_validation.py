"""What topics ask of a batch beyond its header: times, keys, codecs."""

from __future__ import annotations

from pathlib import Path

import pytest
from kit.log_batches import BASE_TIME, Batch, batch
from kit.logs import append, config_of, offset_for_timestamp, open_log, read_all

from barnabas.broker.core.config.topic import TopicConfig
from barnabas.protocol.compression import Codec
from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.record_batch import check_batch
from barnabas.protocol.record_builder import RecordBatchBuilder
from barnabas.protocol.records import decode_batch


def refused(directory: Path, config: TopicConfig, data: bytearray) -> ErrorCode:
    log = open_log(directory, config)
    with pytest.raises(KafkaError) as raised:
        append(log, data)
    assert log.log_end_offset == 0
    return raised.value.code


def test_log_append_time(tmp_path: Path) -> None:
    """Goal: the broker's time for all records, with a good checksum; client times do not matter."""
    log = open_log(tmp_path, config_of(message_timestamp_type="LogAppendTime"))
    result = append(log, batch(b"a", b"b", timestamp=5), now_ms=BASE_TIME + 9)
    assert result.append_time_ms == BASE_TIME + 9
    (stored,) = read_all(log)
    header = check_batch(stored, 0, len(stored))
    assert header.is_log_append_time
    assert [record.timestamp for record in decode_batch(stored)] == [BASE_TIME + 9] * 2
    assert offset_for_timestamp(log, BASE_TIME + 9) == (BASE_TIME + 9, 0, 0)
    assert offset_for_timestamp(log, BASE_TIME + 10) is None


def test_clients_may_not_say_log_append_time(tmp_path: Path) -> None:
    """Goal: the attribute is the broker's to set."""
    assert refused(tmp_path, config_of(), batch(attributes=8)) == ErrorCode.INVALID_TIMESTAMP


def test_timestamps_behind(tmp_path: Path) -> None:
    """Goal: message.timestamp.before.max.ms looks at every record."""
    config = config_of(message_timestamp_before_max_ms=1000)
    late = batch(timestamp=BASE_TIME - 1001)
    assert refused(tmp_path, config, late) == ErrorCode.INVALID_TIMESTAMP
    append(open_log(tmp_path, config), batch(timestamp=BASE_TIME - 1000))


def test_compacted_topics_need_keys(tmp_path: Path) -> None:
    """Goal: a record without a key could never be compacted."""
    config = config_of(cleanup_policy=("compact",))
    assert refused(tmp_path, config, Batch(key=None).encoded) == ErrorCode.INVALID_RECORD
    append(open_log(tmp_path, config), Batch(key=b"").encoded)


@pytest.mark.parametrize("wanted", ["uncompressed", "gzip", "snappy", "lz4", "zstd"])
@pytest.mark.parametrize("sent", list(Codec))
def test_codec_of_the_topic(tmp_path: Path, wanted: str, sent: Codec) -> None:
    """Goal: batches are kept in the topic's codec; those that come in it are not touched."""
    builder = RecordBatchBuilder(codec=sent, producer_id=5, producer_epoch=1, base_sequence=0)
    for number in range(20):
        builder.append(BASE_TIME + number, b"k", b"v" * number, (("h", None), ("i", b"x")))
    data = builder.build()
    log = open_log(tmp_path, config_of(compression_type=wanted))
    append(log, bytearray(data))
    (stored,) = read_all(log)
    header = check_batch(stored, 0, len(stored))
    codec = Codec.NONE if wanted == "uncompressed" else Codec[wanted.upper()]
    assert header.codec == codec
    assert (header.producer_id, header.producer_epoch, header.base_sequence) == (5, 1, 0)
    kept = [(r.timestamp, r.key, r.value, r.headers) for r in decode_batch(stored)]
    assert kept == [(r.timestamp, r.key, r.value, r.headers) for r in decode_batch(data)]
    if sent == codec:
        assert stored[16:] == data[16:]
    assert append(log, bytearray(data)).is_duplicate


@pytest.mark.parametrize(
    ("limit", "code"),
    [
        ("max_message_bytes", ErrorCode.MESSAGE_TOO_LARGE),
        ("internal_segment_bytes", ErrorCode.RECORD_LIST_TOO_LARGE),
    ],
)
def test_the_size_in_the_topics_codec_counts(tmp_path: Path, limit: str, code: ErrorCode) -> None:
    """Goal: a batch that grows beyond the limits when it is built anew is not stored; one that
    has exactly that size is."""
    builder = RecordBatchBuilder(codec=Codec.ZSTD)
    builder.append(BASE_TIME, b"k", bytes(10_000))
    data = bytearray(builder.build())
    plain = len(Batch(values=(bytes(10_000),)).encoded)
    assert len(data) < 1000 < plain
    small = config_of(compression_type="uncompressed", **{limit: plain - 1})
    assert refused(tmp_path / "small", small, data) == code
    log = open_log(tmp_path, config_of(compression_type="uncompressed", **{limit: plain}))
    append(log, data)
    (stored,) = read_all(log)
    assert len(stored) == plain


def test_leave_alone_what_needs_nothing(tmp_path: Path) -> None:
    """Goal: a topic that asks for more still stores the client's bytes when they fit."""
    config = config_of(cleanup_policy=("compact",), message_timestamp_before_max_ms=10_000)
    log = open_log(tmp_path, config)
    data = batch(b"a", b"b")
    append(log, data)
    assert read_all(log)[0][16:] == bytes(data[16:])
