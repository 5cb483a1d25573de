"""Appends to a log, as its leader or as a follower, and the segments that are begun for them.

The usual way of a produced batch is short: check the header, check the producer's last sequence,
one `writev` of the new header prefix and the client's own bytes, and update a few numbers. Rare
cases leave it early (`_append_with_care`, `_room_for`, `_note_producer`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from barnabas.protocol.batch_walk import BatchFields, walk_buffer
from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.record_batch import (
    CONTROL_MASK,
    HEADER,
    LOG_OVERHEAD,
    PREFIX,
    SEQUENCE_MAX,
    TIMESTAMP_TYPE_MASK,
    TRANSACTIONAL_MASK,
)

from ..ports import Buffer, Env
from .append_result import AppendResult
from .durability import Durability
from .failures import LogDirectoryFailure, LogHealth
from .leader_epochs import LeaderEpochs
from .log_start import LogStart
from .opening import Opening
from .origin import Origin
from .producers import last_sequence_of
from .record_check import RecordFacts
from .recovery import end_marker, replay_batch
from .rolling import Rolling
from .rules import LogRules, check_size
from .segment import NO_TIMESTAMP, RELATIVE_OFFSET_MAX, Segment
from .segment_reading import first_timestamp, largest_timestamp
from .segments import Segments
from .validation import validated

Stored = tuple[bytes, Buffer]
"""A batch as it is written: its new prefix, and the client's own bytes behind that."""

_SPECIAL = CONTROL_MASK | TRANSACTIONAL_MASK | TIMESTAMP_TYPE_MASK


class LogWriter:
    """The end of a log: what is appended there, by which leader and which producer."""

    __slots__ = (
        "_clock",
        "_durability",
        "_epochs",
        "_health",
        "_on_append",
        "_producers",
        "_rolling",
        "_segments",
        "_snapshots",
        "_start",
        "end_offset",
        "rules",
    )

    def __init__(
        self,
        opening: Opening,
        env: Env,
        rules: LogRules,
        segments: Segments,
        durability: Durability,
        start: LogStart,
        health: LogHealth,
        on_append: Callable[[Buffer], None] | None,
    ) -> None:
        """`on_append`, unless None, is called with the batches as they were stored."""
        self._clock = env.clock
        self.rules = rules
        self._segments = segments
        self._durability = durability
        self._start = start
        self._health = health
        self._on_append = on_append
        self._producers = opening.producers
        self._snapshots = opening.snapshots
        self._epochs = opening.epochs
        self.end_offset = opening.log_end_offset
        """The offset of the next record."""
        active = segments.active
        largest_timestamp(active)
        active.count_unindexed()
        self._rolling = Rolling(env, rules)
        self._rolling.begin(first_timestamp(active))

    def obey(self, rules: LogRules) -> None:
        """Take new settings of the topic."""
        self.rules = rules
        self._segments.index_every(rules.index_interval_bytes)
        self._rolling.obey(rules, self._segments.active)

    # --- as leader ---

    def append_batch(
        self,
        buf: Buffer,
        start: int,
        end: int,
        leader_epoch: int,
        now_ms: int,
        origin: Origin = Origin.CLIENT,
        facts: RecordFacts | None = None,
        checked: bool = False,
    ) -> AppendResult:
        """As `PartitionLog.append_batch`; `checked`: the batch obeys the topic's settings."""
        header = HEADER.unpack_from(buf, start)
        _, _, _, _, _, attributes, delta, _, timestamp, pid, epoch, sequence, _ = header
        size, rules = end - start, self.rules
        if not checked and (
            attributes & _SPECIAL
            or not rules.plain
            or timestamp > now_ms + rules.after_max_ms
            or size > rules.max_message_bytes
            or size > rules.segment_bytes
            or self._health.failure is not None
            or origin is not Origin.CLIENT
        ):
            return self._append_with_care(buf, start, end, leader_epoch, now_ms, origin, facts)
        entry = self._producers.by_id.get(pid) if pid >= 0 else None
        if pid >= 0 and (
            entry is None
            or entry.epoch != epoch
            or entry.next_sequence != sequence
            or entry.transaction_first_offset >= 0
        ):
            if (
                origin is Origin.CLIENT  # what coordinators write has no sequences
                and (again := self._check_producer(pid, epoch, sequence, delta, attributes))
                is not None
            ):
                return again
            entry = None
        base, segment, rolling = self.end_offset, self._segments.active, self._rolling
        last = base + delta
        room = rolling.at_size - segment.size
        too_old = timestamp > rolling.after_timestamp
        if size > room or too_old or last - segment.base_offset > RELATIVE_OFFSET_MAX:
            segment = self._room_for(base, last, size, timestamp, now_ms)
        if leader_epoch != self._epochs.latest:
            self.assign_epoch(leader_epoch)
        prefix = PREFIX.pack(base, size - LOG_OVERHEAD, leader_epoch)
        stored = (prefix, buf[start + PREFIX.size : end])
        self._write(segment, stored, size, last, timestamp)
        failure: LogDirectoryFailure | None = None
        if entry is not None and not attributes & _SPECIAL:
            last_sequence = (sequence + delta) & SEQUENCE_MAX
            entry.add_batch(entry.epoch, last_sequence, last, delta, timestamp)
        elif pid >= 0:
            failure = self._note_producer(buf, start, end, base)
        append_time = timestamp if attributes & TIMESTAMP_TYPE_MASK else -1
        if self._on_append is not None:
            self._on_append(b"".join(stored))
        if failure is not None:
            raise failure
        return AppendResult(base, last, append_time, self._start.offset, False)

    def _write(self, segment: Segment, stored: Stored, size: int, last: int, time: int) -> None:
        """Write one batch and move the end of the log behind it. Raises LogDirectoryFailure."""
        try:
            if segment.append(stored, size, last, time):
                self._rolling.note_entry(segment)
        except OSError as error:
            raise self._health.fail("writing to", error) from error
        self.end_offset = last + 1

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
        if self._health.failure is not None:
            raise self._health.failure
        rules, name = self.rules, self._producers.name
        batch = memoryview(buf)[start:end]
        if origin is Origin.CLIENT:
            check_size(rules, len(batch), name)
        fields = HEADER.unpack_from(batch)
        if fields[5] & CONTROL_MASK and fields[9] >= 0:
            marker = end_marker(batch)
            if marker is not None:
                self._producers.check_marker(fields[9], fields[10], marker[1])
        stored = memoryview(validated(rules, batch, now_ms, origin, name, facts))
        return self.append_batch(stored, 0, len(stored), leader_epoch, now_ms, origin, None, True)

    def _check_producer(
        self, pid: int, epoch: int, sequence: int, delta: int, attributes: int
    ) -> AppendResult | None:
        """The first answer if the batch is a repeated one (98-02); None if it may be appended."""
        if attributes & CONTROL_MASK:
            return None
        last_sequence = last_sequence_of(sequence, delta)
        txn = bool(attributes & TRANSACTIONAL_MASK)
        known = self._producers.check(pid, epoch, sequence, last_sequence, txn=txn)
        if known is None:
            return None
        # With CreateTime the first answer carried no timestamp.
        _, last, delta, timestamp = known
        append_time = timestamp if self.rules.log_append_time else -1
        return AppendResult(last - delta, last, append_time, self._start.offset, True)

    def _note_producer(
        self, buf: Buffer, start: int, end: int, base: int
    ) -> LogDirectoryFailure | None:
        """Note what is rare: a producer's first batch, a transactional batch, or a marker.

        Returns, not raises, that the disk refused: what else was stored must be noted, too.
        """
        batch = bytearray(memoryview(buf)[start:end])
        batch[:8] = base.to_bytes(8, "big")
        aborted = replay_batch(self._producers, batch)
        if aborted is not None:
            try:
                if self._segments.active.add_aborted(aborted):
                    self._durability.note_names()
            except OSError as error:
                return self._health.fail("writing to", error)
        return None

    # --- as follower ---

    def append_as_follower(self, buf: Buffer) -> bool:
        """Append whole batches as a leader sent them, offsets and epochs included, by one write.

        An incomplete last batch is left out. True if offsets are missing: they are at the leader.
        Raises KafkaError if the offsets do not follow on, LogDirectoryFailure.
        """
        if self._health.failure is not None:
            raise self._health.failure
        view = memoryview(buf)
        batches = list(walk_buffer(view))
        if not batches:
            return False
        has_holes = _check_follows(self._producers.name, self.end_offset, batches)
        final = batches[-1]
        stored = view[: final.position + final.size]
        segment = self._room_for(
            batches[0].base_offset,
            final.last_offset,
            len(stored),
            max(batch.max_timestamp for batch in batches),
            self._clock.wall_ms(),
        )
        try:
            _note_epochs(self._epochs, batches)
            start = segment.append_all(stored)
        except OSError as error:
            raise self._health.fail("writing to", error) from error
        self.end_offset = final.last_offset + 1
        failure: LogDirectoryFailure | None = None
        for batch in batches:
            position = start + batch.position
            segment.note_appended(batch.last_offset, position, batch.size, batch.max_timestamp)
            self._rolling.note_entry(segment)
            if batch.magic >= 2:
                behind = batch.position + batch.size
                refused = self._note_producer(view, batch.position, behind, batch.base_offset)
                failure = failure or refused
        if self._on_append is not None:
            self._on_append(stored)
        if failure is not None:
            raise failure
        return has_holes

    # --- leader epochs ---

    def assign_epoch(self, leader_epoch: int) -> None:
        """`leader_epoch` begins at the present end of the log (101-01); -1 is no epoch.

        Raises LogDirectoryFailure.
        """
        if leader_epoch >= 0:
            try:
                self._epochs.assign(leader_epoch, self.end_offset)
            except OSError as error:
                raise self._health.fail("writing to", error) from error

    def forget_empty_epochs(self) -> None:
        """Forget epochs that began at the end of the log: this broker led them without appending.

        A follower must not name an epoch that its leader does not know. Raises LogDirectoryFailure.
        """
        try:
            self._epochs.truncate_from_end(self.end_offset)
        except OSError as error:
            raise self._health.fail("writing to", error) from error

    # --- segments ---

    def _room_for(self, base: int, last: int, size: int, timestamp: int, now_ms: int) -> Segment:
        """The segment to append to: a new one if the active one is full, old or out of reach."""
        segment = self._segments.active
        if self._rolling.is_due(segment, last, size, timestamp, now_ms):
            segment = self.roll(base, now_ms)
        if segment.size == 0:
            self._rolling.note_first(timestamp)
        return segment

    def roll(self, base_offset: int, now_ms: int | None = None) -> Segment:
        """Begin a new segment at `base_offset` or, if that is higher, at the end; the new one.

        The producers' state at that place goes into a snapshot. Raises LogDirectoryFailure.
        """
        old = self._segments.active
        base = max(base_offset, self.end_offset)
        if old.size == 0 and old.base_offset == base:
            return old
        try:
            self._snapshots.write(base, self._producers.in_order(), durable=False)
            old.seal()
            self._durability.settle(old)
            now_ms = self._clock.wall_ms() if now_ms is None else now_ms
            segment = self._segments.begin(base, now_ms)
        except OSError as error:
            raise self._health.fail("making a segment in", error) from error
        self._durability.note_names()
        self._rolling.begin()
        return segment

    def seal(self) -> None:
        """The log is closed cleanly: write what the next start needs. Raises OSError."""
        self._segments.active.seal()
        if self.end_offset > self._segments.first_offset:
            # Producers outlive deleted records (TXN-43). Torn, it only costs a replay: not durable.
            self._snapshots.write(self.end_offset, self._producers.in_order(), durable=False)

    def cut_at(self, offset: int) -> None:
        """The log was truncated and ends at `offset` now."""
        self.end_offset = offset

    def continue_in(self, timestamp: int = NO_TIMESTAMP) -> None:
        """Another segment may be the active one now; `timestamp`: of its first batch, if any."""
        self._rolling.begin(timestamp)


def _check_follows(name: str, end_offset: int, batches: Sequence[BatchFields]) -> bool:
    """Offsets are under no checksum: what has rotten at the leader must not be copied.

    Old batches (magic 0 and 1) say only their last offset. True if a batch of today does not begin
    where the one before ends.
    """
    end, has_holes = end_offset, False
    for batch in batches:
        offset = batch.base_offset if batch.magic >= 2 else batch.last_offset
        if offset < end:
            raise KafkaError(
                ErrorCode.OFFSET_OUT_OF_RANGE,
                f"{name} ends at {end_offset}, the batch after {end} begins at {batch.base_offset}",
            )
        if offset > end and batch.magic >= 2:
            has_holes = True
        end = batch.last_offset + 1
    if end - batches[0].base_offset > RELATIVE_OFFSET_MAX:
        raise KafkaError(ErrorCode.CORRUPT_MESSAGE, f"{name}: a batch ends at {end}, out of reach")
    return has_holes


def _note_epochs(epochs: LeaderEpochs, batches: Sequence[BatchFields]) -> None:
    for batch in batches:
        if batch.leader_epoch > epochs.latest:
            epochs.assign(batch.leader_epoch, batch.base_offset)
