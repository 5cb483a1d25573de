"""The log of one partition: append, read, truncate, retire. The public face of this package.

The way of an append, at its shortest: look at the header, look at the producer's last sequence,
one `writev` of the stamped prefix and the client's own bytes, a few numbers kept. Whatever is
rare leaves that way early (`_append_with_care`, `_roll_if_needed`, `_note_producer`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from barnabas.protocol.errors import ErrorCode, KafkaError

from ..config.topic import TopicConfig
from ..ports import Buffer, Env
from .batch_fields import (
    CONTROL_MASK,
    HEADER,
    LOG_OVERHEAD,
    MAX_INT,
    PREFIX,
    PREFIX_SIZE,
    TIMESTAMP_TYPE_MASK,
    TRANSACTIONAL_MASK,
)
from .deletion import DeletionSchedule
from .failures import LogDirectoryFailure
from .opening import Opening
from .origin import Origin
from .producers import last_sequence_of
from .record_check import RecordFacts
from .recovery import end_marker, replay_batch
from .recovery_watch import RecoveryWatch
from .retained_log import RetainedLog
from .rules import check_size
from .segment import Segment
from .walking import walk_buffer

PRODUCER_EXPIRATION_MS = 86_400_000
ZERO_UUID = bytes(16)

_SPECIAL = CONTROL_MASK | TRANSACTIONAL_MASK | TIMESTAMP_TYPE_MASK
_SEQUENCE_MASK = MAX_INT


class AppendResult:
    """Where a batch went; for a repeated one, where it had gone the first time (98-02)."""

    __slots__ = (
        "append_time_ms",
        "base_offset",
        "is_duplicate",
        "last_offset",
        "log_start_offset",
    )

    def __init__(
        self,
        base_offset: int,
        last_offset: int,
        append_time_ms: int,
        log_start_offset: int,
        is_duplicate: bool,
    ) -> None:
        self.base_offset = base_offset
        self.last_offset = last_offset
        self.append_time_ms = append_time_ms
        """The timestamp the broker gave with LogAppendTime, else -1."""
        self.log_start_offset = log_start_offset
        self.is_duplicate = is_duplicate


class PartitionLog(RetainedLog):
    """One partition's log over the `Disk` port."""

    @classmethod
    def open(  # noqa: PLR0913 - each one a fact of the partition, all but three optional
        cls,
        directory: str,
        env: Env,
        config: TopicConfig,
        *,
        topic: str,
        partition: int,
        topic_id: bytes = ZERO_UUID,
        recovery_point: int = 0,
        log_start_offset: int = 0,
        clean: bool = False,
        deletions: DeletionSchedule | None = None,
        on_failure: Callable[[LogDirectoryFailure], None] | None = None,
        producer_expiration_ms: int = PRODUCER_EXPIRATION_MS,
        watch: RecoveryWatch | None = None,
    ) -> PartitionLog:
        """Open a partition's folder, or make it.

        `clean`: the node stopped in good order, so nothing needs to be checked. Otherwise the
        segments from `recovery_point` on (-1: not known) are read through; `report` says what
        was put right; `watch` says how far that is.
        Raises OSError, RecoveryStoppedError.
        """
        env.disk.make_directory(directory)
        opening = Opening(
            env.disk,
            directory,
            name=f"{topic}-{partition}",
            now_ms=env.clock.wall_ms(),
            index_interval=config.index_interval_bytes,
            producer_expiration_ms=producer_expiration_ms,
            recovery_point=recovery_point,
            log_start_offset=log_start_offset,
            clean=clean,
            contiguous="compact" not in config.cleanup_policy,
            watch=watch,
        )
        opening.run()
        log = cls(
            opening,
            env,
            config,
            topic=topic,
            partition=partition,
            topic_id=topic_id,
            deletions=DeletionSchedule(env.disk) if deletions is None else deletions,
            on_failure=on_failure,
        )
        log._tell("log-opened")
        return log

    # --- append as leader ---

    def append_as_leader(
        self,
        buf: Buffer,
        spans: Sequence[tuple[int, int]],
        leader_epoch: int,
        now_ms: int,
        origin: Origin = Origin.CLIENT,
    ) -> AppendResult:
        """Append batches that `check_batch` has passed; `spans` are their (start, end) in `buf`.

        Offsets and leader epoch are assigned here. `now_ms` is the wall clock. Every batch is
        written on its own: if one is refused, those before it stay. The result covers the first
        offset of the first to the last offset of the last batch.
        Raises KafkaError (98-03 and the checks of the topic's settings), LogDirectoryFailure.
        """
        start, end = spans[0]
        result = self.append_batch(buf, start, end, leader_epoch, now_ms, origin)
        for start, end in spans[1:]:
            more = self.append_batch(buf, start, end, leader_epoch, now_ms, origin)
            result.last_offset = more.last_offset
        return result

    def append_batch(  # noqa: C901 - in one piece on purpose: a call costs as much
        self,
        buf: Buffer,
        start: int,
        end: int,
        leader_epoch: int,
        now_ms: int,
        origin: Origin = Origin.CLIENT,
        checked: bool = False,
        facts: RecordFacts | None = None,
    ) -> AppendResult:
        """Append the one batch at `buf[start:end]`: the hot path of `append_as_leader`."""
        header = HEADER.unpack_from(buf, start)  # `batch_fields` names all of it
        _, _, _, _, _, attributes, delta, _, timestamp, pid, epoch, sequence, _ = header
        size = end - start
        rules = self.rules
        if not checked and (
            attributes & _SPECIAL
            or not rules.plain
            or timestamp > now_ms + rules.after_max_ms
            or size > rules.max_message_bytes
            or size > rules.segment_bytes
            or self.failure is not None
            or origin is not Origin.CLIENT
        ):
            return self._append_with_care(buf, start, end, leader_epoch, now_ms, origin, facts)
        entry = self.producers.by_id.get(pid) if pid >= 0 else None
        if pid >= 0 and (
            entry is None
            or entry.epoch != epoch
            or entry.next_sequence != sequence
            or entry.transaction_first_offset >= 0
        ):
            again = self._check_producer(pid, epoch, sequence, delta, attributes)
            if again is not None:
                return again
            entry = None
        base, segment = self.log_end_offset, self._active
        last = base + delta
        room = segment.roll_at_size - segment.size
        too_old = timestamp > segment.roll_after_timestamp
        if size > room or too_old or last - segment.base_offset > MAX_INT:
            segment = self._roll_if_needed(base, last, size, timestamp, now_ms)
        if leader_epoch != self._latest_epoch:
            self.assign_epoch(leader_epoch)
        position = segment.size
        prefix = PREFIX.pack(base, size - LOG_OVERHEAD, leader_epoch)
        try:
            segment.file.append((prefix, buf[start + PREFIX_SIZE : end]))
        except OSError as error:
            raise self.fail("writing to", error) from error
        segment.size = position + size
        self.log_end_offset = last + 1
        if segment.unindexed_bytes > segment.index_interval:
            self._note_indexed(segment, last, position, size, timestamp)
        else:
            segment.unindexed_bytes += size
            if timestamp > segment.max_timestamp:
                segment.max_timestamp = timestamp
                segment.max_timestamp_offset = last
        if entry is not None and not attributes & _SPECIAL:
            last_sequence = (sequence + delta) & _SEQUENCE_MASK
            entry.add_batch(entry.epoch, last_sequence, last, delta, timestamp)
        elif pid >= 0:
            self._note_producer(buf, start, end, base)
        append_time = timestamp if attributes & TIMESTAMP_TYPE_MASK else -1
        if self._hooks is not None:
            self._tell_append(prefix + bytes(buf[start + PREFIX_SIZE : end]))
        return AppendResult(base, last, append_time, self.log_start_offset, False)

    def _tell_append(self, stored: bytes) -> None:
        assert self._hooks is not None
        self._hooks.on("append", log=self, batches=stored)

    def _append_with_care(
        self,
        buf: Buffer,
        start: int,
        end: int,
        leader_epoch: int,
        now_ms: int,
        origin: Origin,
        facts: RecordFacts | None,
    ) -> AppendResult:
        if self.failure is not None:
            raise self.failure
        batch = memoryview(buf)[start:end]
        if origin is Origin.CLIENT:
            check_size(self.rules, len(batch), self.name)
        fields = HEADER.unpack_from(batch)
        if fields[5] & CONTROL_MASK and fields[9] >= 0:
            marker = end_marker(batch)
            if marker is not None:
                self.producers.check_marker(fields[9], fields[10], marker[1])
        from .validation import validated  # lazily: it needs the codecs, a plain topic does not

        stored = memoryview(validated(self.rules, batch, now_ms, origin, self.name, facts))
        return self.append_batch(stored, 0, len(stored), leader_epoch, now_ms, origin, checked=True)

    def _check_producer(
        self, pid: int, epoch: int, sequence: int, delta: int, attributes: int
    ) -> AppendResult | None:
        """The first answer again if the batch is a repeated one (98-02); None if it may come."""
        if attributes & CONTROL_MASK:
            return None
        last_sequence = last_sequence_of(sequence, delta)
        txn = bool(attributes & TRANSACTIONAL_MASK)
        known = self.producers.check(pid, epoch, sequence, last_sequence, txn=txn)
        if known is None:
            return None
        # With CreateTime the first answer carried no timestamp.
        _, last, delta, timestamp = known
        append_time = timestamp if self.rules.log_append_time else -1
        return AppendResult(last - delta, last, append_time, self.log_start_offset, True)

    def _note_producer(self, buf: Buffer, start: int, end: int, base: int) -> None:
        """A producer's first batch, a transactional one, or a marker."""
        batch = bytearray(memoryview(buf)[start:end])
        batch[:8] = base.to_bytes(8, "big")
        aborted = replay_batch(self.producers, batch)
        if aborted is not None:
            try:
                self._active.add_aborted(aborted)
            except OSError as error:
                raise self.fail("writing to", error) from error

    def _note_indexed(
        self, segment: Segment, last: int, position: int, size: int, timestamp: int
    ) -> None:
        segment.note_appended(last, position, size, timestamp)
        full = (
            len(segment.index) >= self.rules.index_entries_max
            or len(segment.times) >= self.rules.time_entries_max
        )
        if full:
            segment.roll_at_size = 0

    # --- append as follower ---

    def append_as_follower(self, buf: Buffer) -> int:
        """Append whole batches as a leader sent them, offsets and epochs included; the end offset.

        They are written by one call. A last batch that is cut short is left out.
        Raises KafkaError if the offsets do not follow on, LogDirectoryFailure.
        """
        if self.failure is not None:
            raise self.failure
        view = memoryview(buf)
        batches = list(walk_buffer(view))
        if not batches:
            return self.log_end_offset
        first, final = batches[0], batches[-1]
        # Old batches (magic 0 and 1) say only their last offset.
        if (first.base_offset if first.magic >= 2 else first.last_offset) < self.log_end_offset:
            raise KafkaError(
                ErrorCode.OFFSET_OUT_OF_RANGE,
                f"{self.name} ends at {self.log_end_offset}, the batch begins at "
                f"{first.base_offset}",
            )
        size = final.position + final.size
        timestamp = max(batch.max_timestamp for batch in batches)
        segment = self._roll_if_needed(
            first.base_offset, final.last_offset, size, timestamp, self.env.clock.wall_ms()
        )
        start = segment.size
        try:
            for batch in batches:
                if batch.magic >= 2:
                    epoch = int.from_bytes(view[batch.position + 12 : batch.position + 16], "big")
                    if self._latest_epoch < epoch <= MAX_INT:
                        self.leader_epochs.assign(epoch, batch.base_offset)
                        self._latest_epoch = epoch
            segment.file.append((view[:size],))
        except OSError as error:
            raise self.fail("writing to", error) from error
        segment.size = start + size
        self.log_end_offset = final.last_offset + 1
        for batch in batches:
            self._note_indexed(
                segment,
                batch.last_offset,
                start + batch.position,
                batch.size,
                batch.max_timestamp,
            )
            if batch.magic >= 2:
                self._note_producer(
                    view, batch.position, batch.position + batch.size, batch.base_offset
                )
        self._tell("append", batches=view[:size])
        return self.log_end_offset

    # --- rolling ---

    def _roll_if_needed(
        self, base: int, last: int, size: int, timestamp: int, now_ms: int
    ) -> Segment:
        """The segment to append to: a new one if the active one is full, old or out of reach."""
        segment = self._active
        if segment.size and segment.roll_after_timestamp == -1:
            self._set_roll_marks(segment, self._first_timestamp(segment))
        too_large = segment.size + size > segment.roll_at_size
        out_of_reach = last - segment.base_offset > MAX_INT
        if too_large or out_of_reach or self._is_old(segment, timestamp, now_ms):
            segment = self.roll(base, now_ms)
        if segment.size == 0 and timestamp >= 0:
            segment.roll_after_timestamp = timestamp + self._segment_ms(segment)
        return segment

    def _is_old(self, segment: Segment, timestamp: int, now_ms: int) -> bool:
        if segment.size == 0:
            return False
        if segment.roll_after_timestamp >= 0:
            return timestamp > segment.roll_after_timestamp
        return now_ms - segment.created_ms > self._segment_ms(segment)
