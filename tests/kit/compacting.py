"""Compacting logs in tests: rounds driven on one thread, and logs with keys, values and markers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any  # what a round yields and takes depends on the step

from barnabas.broker.core.log.compaction.cleanable import DirtyPart
from barnabas.broker.core.log.compaction.cleaning import CleanerLimits
from barnabas.broker.core.log.compaction.log_compaction import CHECKPOINT
from barnabas.broker.core.log.partition_log import PartitionLog
from barnabas.protocol.compression import Codec
from barnabas.protocol.record import Record
from barnabas.protocol.record_batch import BatchHeader, iter_batch_headers
from barnabas.protocol.record_builder import RecordBatchBuilder
from barnabas.protocol.records import decode_batch

from .log_batches import BASE_TIME
from .logs import config_of, read_all

COMPACTED = config_of(
    cleanup_policy=("compact",),
    internal_segment_bytes=600,
    index_interval_bytes=150,
    min_cleanable_dirty_ratio=0.0,
)


def limits(keys: int = 100_000, buffer_bytes: int = 4096) -> CleanerLimits:
    """A cleaner whose map takes so many keys."""
    return CleanerLimits(keys * 200, 1.0, buffer_bytes, lambda: None)


def dirty(log: PartitionLog) -> DirtyPart:
    """What could be cleaned now."""
    upto = min(log.last_stable_offset, log.recovery_point)
    return log.compaction.assessment(log.rules, log.log_end_offset, upto)()


def steps(log: PartitionLog, cleaner: CleanerLimits | None = None) -> Iterator[str]:
    """A round, one step after the other; stops before and after each piece of work."""
    part = dirty(log)
    if not part.dirty_bytes:
        return
    running = log.compaction.run(part, lambda: log.rules, cleaner or limits())
    go_on: Callable[[], Any] = partial(next, running)
    while True:
        try:
            work = go_on()
        except StopIteration:
            return
        yield "before"
        if work == CHECKPOINT:
            yield CHECKPOINT
            go_on = partial(running.send, 0)
            continue
        try:
            go_on = partial(running.send, work())
        except Exception as error:
            go_on = partial(running.throw, error)
        else:
            yield "after"


def compact(
    log: PartitionLog,
    cleaner: CleanerLimits | None = None,
    checkpoint: Callable[[], object] = lambda: None,
) -> bool:
    """One round, if there is anything dirty; whether there was."""
    log.flush()
    found = False
    for step in steps(log, cleaner):
        found = True
        if step == CHECKPOINT:
            checkpoint()
    return found


def keyed(
    *pairs: tuple[bytes, bytes | None],
    time: int = BASE_TIME,
    codec: Codec = Codec.NONE,
    producer: tuple[int, int, int] = (-1, -1, -1),
    transactional: bool = False,
    padding: int = 0,
) -> bytearray:
    """A batch of these keys and values (None: a tombstone), a millisecond apart.

    `padding`: bytes of a header of the first record.
    """
    builder = RecordBatchBuilder(
        codec=codec,
        producer_id=producer[0],
        producer_epoch=producer[1],
        base_sequence=producer[2],
        is_transactional=transactional,
    )
    for number, (key, value) in enumerate(pairs):
        headers = (("h", b"x"),) if number % 3 == 1 else ()
        if padding and not number:
            headers = (("padding", bytes(padding)),)
        builder.append(time + number, key, value, headers)
    return bytearray(builder.build())


def headers_of(log: PartitionLog) -> list[BatchHeader]:
    """Of all batches."""
    return [header for raw in read_all(log) for _, header in iter_batch_headers(raw)]


def records_of(log: PartitionLog, *, control: bool = False) -> list[Record]:
    """All records that a reader gets, without markers."""
    found: list[Record] = []
    for raw in read_all(log):
        for _, header in iter_batch_headers(raw):
            if control or not header.is_control:
                found += decode_batch(raw)
    return found


def table_of(log: PartitionLog) -> dict[bytes, bytes]:
    """The last value of each key, as a reader of everything has it in the end."""
    table: dict[bytes, bytes] = {}
    for record in records_of(log):
        assert record.key is not None
        if record.value is None:
            table.pop(record.key, None)
        else:
            table[record.key] = record.value
    return table
