"""The records of one partition in a fetch answer: checked, filtered and decoded batch by batch.

Three kinds are skipped: records before the requested offset (a batch is sent whole), control
batches, and with read_committed the records of aborted transactions (98-06). A transactional batch
is skipped while its producer is in the set of aborted ones, which it enters at its first aborted
offset and leaves at its abort marker.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable

from barnabas.protocol.batch_walk import end_of_batch
from barnabas.protocol.compression import codec_of, decompress
from barnabas.protocol.control_records import ControlType, read_control_type
from barnabas.protocol.errors import KafkaError
from barnabas.protocol.record_batch import (
    HEADER_SIZE,
    LEGACY_SIZE_MIN,
    LOG_OVERHEAD,
    MAGIC_AT,
    PLACE,
    BatchHeader,
    check_batch,
    read_batch_header,
)
from barnabas.protocol.record_columns import decode_columns
from barnabas.protocol.records import decode_batch

from ..errors import CorruptMessageError
from ..structs import TopicPartition
from .columns import RecordColumns


class FetchedRecords:
    """The answer for one partition; `next_columns` walks it once, from front to back.

    `next_offset` is where reading goes on after the records that were returned so far.
    """

    __slots__ = (
        "_aborted",
        "_aborted_producers",
        "_at",
        "_check_crcs",
        "_data",
        "_limit",
        "epoch_before",
        "fetch_offset",
        "from_follower",
        "leader_epoch",
        "next_offset",
        "topic_partition",
    )

    def __init__(
        self,
        topic_partition: TopicPartition,
        data: bytes,
        fetch_offset: int,
        *,
        aborted: Iterable[tuple[int, int]] | None = None,
        check_crcs: bool = True,
        decompressed_bytes_max: int,
        from_follower: bool = False,
    ) -> None:
        self.topic_partition = topic_partition
        self.from_follower = from_follower
        """A follower sent this, so if it is damaged the leader may have a good copy."""
        self.fetch_offset = fetch_offset
        self.next_offset = fetch_offset
        self.leader_epoch = -1
        """Of the last batch that was passed, with records for the program or without; -1: none."""
        self.epoch_before = -1
        """The same of the batch before that one."""
        self._data = data
        self._at = 0
        self._aborted = [(first, producer) for producer, first in aborted or ()]
        heapq.heapify(self._aborted)
        self._aborted_producers: set[int] = set()
        self._check_crcs = check_crcs
        self._limit = decompressed_bytes_max

    @property
    def size(self) -> int:
        """Bytes of the answer that are held here."""
        return len(self._data) - self._at

    @property
    def end_offset(self) -> int:
        """The offset after the last whole batch: where the next fetch goes on. Only lengths and
        offsets are looked at."""
        return end_offset_of(self._data, self.fetch_offset)

    def next_columns(self) -> RecordColumns | None:
        """Records of the next batch that has any for the program; None at the end.

        Raises:
            CorruptMessageError: a batch is damaged; what came before it was handed out.
        """
        while True:
            size = whole_batch_size(self._data, self._at)
            if size == 0:
                return None
            start, end = self._at, self._at + size
            try:
                columns, next_offset = self._read_batch(start, end)
            except (KafkaError, CorruptMessageError) as error:
                raise CorruptMessageError(
                    f"{self.topic_partition}, batch at offset"
                    f" {PLACE.unpack_from(self._data, start)[0]}: {error}"
                ) from error
            self._at = end
            self.epoch_before = self.leader_epoch
            self.leader_epoch = end_of_batch(self._data, start)[1]
            self.next_offset = max(self.next_offset, next_offset)
            if columns is not None and len(columns):
                return columns

    def _read_batch(self, start: int, end: int) -> tuple[RecordColumns | None, int]:
        if self._data[start + MAGIC_AT] < 2:
            return self._read_legacy(start)
        if self._check_crcs:
            header = check_batch(self._data, start, end)
        else:
            header = read_batch_header(self._data, start)
        if header.next_offset <= self.next_offset:
            return None, header.next_offset
        if header.is_control:
            self._note_marker(header, start, end)
            return None, header.next_offset
        if self._is_aborted(header):
            return None, header.next_offset
        columns = decoded(self._body(header, start, end), header)
        return from_offset(columns, self.next_offset), header.next_offset

    def _body(self, header: BatchHeader, start: int, end: int) -> bytes:
        body = self._data[start + HEADER_SIZE : end]
        return decompress(codec_of(header.codec), body, self._limit) if header.codec else body

    def _read_legacy(self, start: int) -> tuple[RecordColumns | None, int]:
        columns = RecordColumns()
        for record in decode_batch(self._data, start, self._limit):
            columns.offsets.append(record.offset)
            columns.timestamps.append(record.timestamp)
            columns.keys.append(record.key)
            columns.values.append(record.value)
            columns.headers.append(record.headers)
            columns.timestamp_type = int(record.timestamp_type)
        end = columns.offsets[-1] + 1 if columns.offsets else self.next_offset
        return from_offset(columns, self.next_offset), end

    def _is_aborted(self, header: BatchHeader) -> bool:
        if not header.is_transactional:
            return False
        self._admit_aborted(header.last_offset)
        return header.producer_id in self._aborted_producers

    def _admit_aborted(self, up_to: int) -> None:
        while self._aborted and self._aborted[0][0] <= up_to:
            self._aborted_producers.add(heapq.heappop(self._aborted)[1])

    def _note_marker(self, header: BatchHeader, start: int, end: int) -> None:
        """An abort marker ends the aborted transaction of its producer."""
        self._admit_aborted(header.last_offset)
        if header.producer_id not in self._aborted_producers:
            return
        keys = decoded(self._body(header, start, end), header).keys
        if keys and read_control_type(keys[0]) == ControlType.ABORT:
            self._aborted_producers.discard(header.producer_id)


def decoded(body: bytes, header: BatchHeader) -> RecordColumns:
    """The records of one batch; `body` is their bytes, decompressed. Raises InvalidBatchError."""
    columns = RecordColumns(int(header.is_log_append_time), header.partition_leader_epoch)
    columns.offsets, columns.timestamps, columns.keys, columns.values, columns.headers = (
        decode_columns(
            body, header.record_count, header.base_offset, header.base_timestamp, len(body)
        )
    )
    if header.is_log_append_time:
        columns.timestamps = [header.max_timestamp] * len(columns)
    return columns


def from_offset(columns: RecordColumns, offset: int) -> RecordColumns:
    """The records at or after an offset: a fetch in the middle of a batch brings all of it."""
    if not columns.offsets or columns.offsets[0] >= offset:
        return columns
    keep = sum(1 for each in columns.offsets if each < offset)
    return columns.part(keep, len(columns))


def whole_batch_size(data: bytes, at: int) -> int:
    """Bytes of the batch at `at`, 0 when it is cut off or there is none (74-01 allows a cut end).

    Raises:
        CorruptMessageError: a length that no batch has.
    """
    left = len(data) - at
    if left <= MAGIC_AT:
        return 0
    size = PLACE.unpack_from(data, at)[1] + LOG_OVERHEAD
    if size < (HEADER_SIZE if data[at + MAGIC_AT] >= 2 else LEGACY_SIZE_MIN):
        raise CorruptMessageError(f"a batch length of {size - LOG_OVERHEAD}")
    return size if size <= left else 0


def end_offset_of(data: bytes, fetch_offset: int) -> int:
    """The offset after the last whole batch, or `fetch_offset` when nothing whole is there."""
    return end_of(data, fetch_offset)[0]


def end_of(data: bytes, fetch_offset: int) -> tuple[int, int]:
    """The offset after the last whole batch, or `fetch_offset`, and that batch's leader epoch.

    The epoch is -1 when there is no whole batch.
    """
    end_offset, epoch = fetch_offset, -1
    at = 0
    while True:
        size = whole_batch_size(data, at)
        if size == 0:
            return end_offset, epoch
        next_offset, epoch = end_of_batch(data, at)
        end_offset = max(end_offset, next_offset)
        at += size


def whole_batches(data: bytes) -> bytes:
    """`data` without a batch that is cut off at its end."""
    at = 0
    while (size := whole_batch_size(data, at)) > 0:
        at += size
    return data if at == len(data) else data[:at]
