"""Headers of batches: read, checked, stamped (F-5 for what a header alone can say)."""

from __future__ import annotations

from random import Random

import pytest
from kit.message_sets import message
from kit.raw_batches import NOW, batch, record, small_batch

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.record import LOG_APPEND_TIME
from barnabas.protocol.record_batch import (
    BatchError,
    check_batch,
    check_client_batch,
    iter_batch_headers,
    read_batch_header,
    set_base_offset,
    set_producer,
    stamp_append_time,
    stamped_prefix,
)
from barnabas.protocol.records import decode_batch


def code_of(data: bytes) -> ErrorCode:
    with pytest.raises(BatchError) as caught:
        check_batch(data, 0, len(data))
    return caught.value.code


@pytest.mark.parametrize("kind", [bytes, bytearray, lambda data: memoryview(bytearray(data))])
def test_header_is_read_from_any_buffer_at_any_offset(kind: type[bytes]) -> None:
    """Goal: the receive buffer, a slice of it and a file's bytes all work, without a copy."""
    data = kind(b"before" + small_batch(base_offset=40) + b"behind")
    header = check_batch(data, 6, len(data))
    assert (header.base_offset, header.last_offset, header.next_offset) == (40, 42, 43)
    assert (header.record_count, header.partition_leader_epoch) == (3, 2)
    assert header.size == len(data) - 12
    assert header.last_sequence == -1
    assert "offsets 40..42" in repr(header)


def test_last_sequence_wraps() -> None:
    """98-03: sequences go on from 0 behind 2^31 - 1."""
    header = read_batch_header(small_batch())
    header.base_sequence = 2**31 - 2
    assert header.last_sequence == 0


def test_every_flipped_bit_is_named_or_outside_the_checksum() -> None:
    """Goal: CORRUPT_MESSAGE(2) for damage anywhere but in what a leader stamps."""
    data = small_batch()
    for position in range(len(data) * 8):
        changed = bytearray(data)
        changed[position // 8] ^= 1 << position % 8
        if position // 8 in (*range(8), *range(12, 16)):
            check_batch(changed, 0, len(changed))
        elif position // 8 == 16 and changed[16] < 2:
            assert code_of(bytes(changed)) == ErrorCode.INVALID_RECORD
        else:
            assert code_of(bytes(changed)) == ErrorCode.CORRUPT_MESSAGE


def test_every_cut_is_named() -> None:
    """Goal: a batch of which the end is missing is CORRUPT_MESSAGE(2), wherever it is cut."""
    data = small_batch()
    for size in range(len(data)):
        assert code_of(data[:size]) == ErrorCode.CORRUPT_MESSAGE


@pytest.mark.parametrize("length", [-(2**31), -1, 0, 13, 14, 48, 2**31 - 1])
def test_lengths_that_cannot_be(length: int) -> None:
    """Goal: a length below the smallest batch, or beyond the bytes, is CORRUPT_MESSAGE(2)."""
    data = bytearray(small_batch())
    data[8:12] = length.to_bytes(4, "big", signed=True)
    assert code_of(bytes(data)) == ErrorCode.CORRUPT_MESSAGE


@pytest.mark.parametrize(
    ("count", "last_delta"), [(-1, 0), (-1, -2), (2, 0), (0, -2), (2**31 - 1, 0), (1, -1)]
)
def test_counts_that_cannot_be(count: int, last_delta: int) -> None:
    """Goal: INVALID_RECORD(87) when the header's own numbers contradict each other."""
    assert code_of(batch(record(), count=count, last_delta=last_delta)) == ErrorCode.INVALID_RECORD


@pytest.mark.parametrize("magic", [0, 1])
def test_old_magics_are_refused_as_invalid(magic: int) -> None:
    """Goal: where only magic 2 is taken, a message set is INVALID_RECORD(87), as in Kafka."""
    assert code_of(message(0, b"v" * 60, magic=magic)) == ErrorCode.INVALID_RECORD


CLIENT_FAULTS = [
    (batch(b"", count=0, last_delta=0), ErrorCode.INVALID_RECORD),
    (batch(record(), count=1, last_delta=3), ErrorCode.INVALID_RECORD),
    (batch(record(), producer_id=5, base_sequence=-1), ErrorCode.INVALID_RECORD),
    (batch(record(), attributes=0x20), ErrorCode.INVALID_RECORD),
    (batch(record(), codec=5), ErrorCode.UNSUPPORTED_COMPRESSION_TYPE),
    (batch(record(), codec=6), ErrorCode.UNSUPPORTED_COMPRESSION_TYPE),
    (batch(record(), codec=7), ErrorCode.UNSUPPORTED_COMPRESSION_TYPE),
]


@pytest.mark.parametrize(("data", "code"), CLIENT_FAULTS)
def test_what_a_client_may_not_write(data: bytes, code: ErrorCode) -> None:
    """Goal: batches that compaction or a leader may write, but no producer (F-5)."""
    header = check_batch(data, 0, len(data))
    with pytest.raises(BatchError) as caught:
        check_client_batch(header)
    assert caught.value.code == code
    assert not caught.value.is_retriable


def test_an_honest_client_batch_is_taken() -> None:
    """Goal: idempotent, transactional and compressed batches pass."""
    check_client_batch(read_batch_header(batch(record(), producer_id=5, base_sequence=0)))
    check_client_batch(read_batch_header(small_batch()))


def test_stamping_leaves_the_checksum_valid() -> None:
    """Goal: base offset and leader epoch change in place, and as a prefix for one writev."""
    came = small_batch()
    stored = bytearray(came)
    set_base_offset(stored, 0, 1 << 40, 9)
    header = check_batch(stored, 0, len(stored))
    assert (header.base_offset, header.partition_leader_epoch) == (1 << 40, 9)
    assert stamped_prefix(1 << 40, 9, came, 0) + came[21:] == stored
    set_base_offset(stored, 0, 0, -1)
    assert check_batch(stored, 0, len(stored)).partition_leader_epoch == -1


def test_append_time_replaces_the_times_of_all_records() -> None:
    """Goal: LogAppendTime is the attribute and the max timestamp; the records stay as they are."""
    data = bytearray(small_batch())
    stamp_append_time(data, 0, NOW + 99)
    header = check_batch(data, 0, len(data))
    assert header.is_log_append_time
    records = decode_batch(data)
    assert {record.timestamp for record in records} == {NOW + 99}
    assert {record.timestamp_type for record in records} == {LOG_APPEND_TIME}


def test_a_finished_batch_gets_another_producer() -> None:
    """Goal: a batch that is sealed is numbered when it is sent."""
    data = bytearray(small_batch())
    set_producer(data, 0, 77, 1, 500)
    header = check_batch(data, 0, len(data))
    assert (header.producer_id, header.producer_epoch, header.base_sequence) == (77, 1, 500)
    assert [record.sequence for record in decode_batch(data)] == [500, 501, 502]


def test_iteration_ends_at_a_cut_tail() -> None:
    """Goal: fetch answers end in the middle of a batch; that is no error."""
    data = small_batch() + small_batch(base_offset=3) + message(6, b"v") + small_batch()[:-1]
    found = [(at, header.base_offset, header.magic) for at, header in iter_batch_headers(data)]
    size = len(small_batch())
    assert found == [(0, 0, 2), (size, 3, 2), (2 * size, 6, 1)]
    assert list(iter_batch_headers(b"")) == []
    assert [at for at, _ in iter_batch_headers(data, size, 2 * size)] == [size]


@pytest.mark.parametrize("seed", range(20))
def test_iteration_over_garbage_ends_or_is_named(seed: int) -> None:
    """Goal: whatever the bytes are, iteration ends; damage is CORRUPT_MESSAGE(2)."""
    random = Random(seed)
    data = bytearray(small_batch() * 3)
    for _ in range(3):
        data[random.randrange(len(data))] = random.randrange(256)
    try:
        assert len(list(iter_batch_headers(data))) <= 9
    except BatchError as error:
        assert error.code == ErrorCode.CORRUPT_MESSAGE
