"""The batches of one shard: filled, written, and answered when the high watermark passes them.

A batch that cannot be written is taken back, and all of its operations fail (CRT-07).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from barnabas.protocol.compression import Codec
from barnabas.protocol.coordinator_records import encode_key, encode_value
from barnabas.protocol.errors import EncodeError, ErrorCode, KafkaError
from barnabas.protocol.record_batch import HEADER_SIZE

from ..ports import Clock
from ..replication.end_markers import EndMarker
from .append_errors import told_for
from .machine import AnswerT, Outcome, Producer, Record
from .shard_batch import Encoded, OpenBatch, Parked, ShardBatch, size_of
from .shard_ports import ShardLog, ShardLoop
from .timeline import Timeline

Report = Callable[[str, dict[str, object]], object]
"""Event and fields, for the node's log."""


@dataclass(frozen=True, slots=True)
class ShardRules:
    """How a shard writes."""

    linger_ms: int = -1
    """`group.coordinator.append.linger.ms`: -1 joins what is queued, 0 writes at once (CRT-10)."""
    timeout_ms: int = 5000
    """`offsets.commit.timeout.ms`: a client waits no longer for its answer (CRT-08)."""
    codec: Codec = Codec.NONE


def bug(report: Report, what: str, error: Exception) -> KafkaError:
    """Report what should not have happened; the error that clients get."""
    report(what, {"error": repr(error), "exc_info": error})
    return KafkaError(ErrorCode.UNKNOWN_SERVER_ERROR)


class ShardWriter:
    """The open batch of a shard, and those above the high watermark."""

    __slots__ = (
        "_clock",
        "_is_closed",
        "_log",
        "_loop",
        "_on_lost",
        "_replay",
        "_report",
        "_rules",
        "_timeline",
        "committed_offset",
        "is_busy",
        "next_offset",
        "open",
        "written",
    )

    def __init__(
        self,
        timeline: Timeline,
        replay: Callable[[Record, int, Producer | None], object],
        log: ShardLog,
        loop: ShardLoop,
        clock: Clock,
        rules: ShardRules,
        *,
        report: Report,
        on_lost: Callable[[], object],
    ) -> None:
        """`replay`: applies a record to the state; `on_lost`: called when the state is no longer
        that of the log; the writer must be closed then."""
        self._timeline = timeline
        self._replay = replay
        self._log = log
        self._loop = loop
        self._clock = clock
        self._rules = rules
        self._report = report
        self._on_lost = on_lost
        self._is_closed = False
        self.committed_offset = 0
        """The state at this offset is what is committed (CRT-09)."""
        self.next_offset = 0
        """Where the next batch is expected to be."""
        self.is_busy = False
        """An operation runs: answers wait until it is over."""
        self.open: OpenBatch | None = None
        self.written: deque[ShardBatch] = deque()
        """Batches above the high watermark, oldest first."""

    @property
    def latest(self) -> ShardBatch | None:
        """The batch after which everything that was decided so far is committed."""
        if self.open is not None:
            return self.open
        return self.written[-1] if self.written else None

    def add(self, outcome: Outcome[AnswerT], parked: Parked[AnswerT]) -> KafkaError | None:
        """Apply the records and put them into batches; why that was not possible."""
        if not outcome.records:
            latest = self.latest
            if latest is None:
                parked.succeed()
            else:
                latest.parked.append(parked)
            return None
        try:
            encoded = [_encoded(record) for record in outcome.records]
        except EncodeError as error:
            return bug(self._report, "a record cannot be written", error)
        is_whole = outcome.is_atomic or outcome.producer is not None
        failure = self._check_size(encoded, is_whole=is_whole) or self._make_room(
            encoded, outcome.producer, is_whole=is_whole
        )
        failure = failure or self._take(outcome, encoded)
        if failure is not None:
            return failure
        latest = self.latest
        assert latest is not None
        latest.parked.append(parked)
        if outcome.producer is not None or self._rules.linger_ms == 0:
            self._flush()
        return None

    def add_marker(
        self, marker: EndMarker, apply: Callable[[], object], parked: Parked[None]
    ) -> KafkaError | None:
        """Write the end of a transaction behind what is open, and apply it (CRT-20).

        Why that was not possible; raises KafkaError of the append (TXN-31).
        """
        failure = self._flush()
        if failure is not None:
            return failure
        base_offset = self._log.append_marker(marker)
        batch = ShardBatch(base_offset, base_offset + 1)
        batch.parked.append(parked)
        self._timeline.open_layer(base_offset)
        failure = self._note_written(batch, base_offset)
        if failure is None:
            try:
                apply()
            except Exception as error:
                bug(self._report, "the end of a transaction could not be applied", error)
                self._on_lost()
        return failure

    def _check_size(self, encoded: Sequence[Encoded], *, is_whole: bool) -> KafkaError | None:
        limit = self._log.max_batch_bytes
        largest = size_of(encoded) if is_whole else max(size_of((one,)) for one in encoded)
        if largest <= limit:
            return None
        self._report(
            "what a coordinator would write is larger than max.message.bytes",
            {"bytes": largest, "max": limit, "key": repr(encoded[0][0])},
        )
        return told_for(KafkaError(ErrorCode.MESSAGE_TOO_LARGE))

    def _make_room(
        self, encoded: Sequence[Encoded], producer: Producer | None, *, is_whole: bool
    ) -> KafkaError | None:
        """Write the open batch if these records may not, or cannot, go into it."""
        batch = self.open
        if batch is None or not is_whole:
            return None
        if producer is None and batch.has_room_for(encoded):
            return None
        return self._flush()

    def _take(self, outcome: Outcome[AnswerT], encoded: Sequence[Encoded]) -> KafkaError | None:
        now = self._clock.wall_ms()
        for record, bytes_of_it in zip(outcome.records, encoded, strict=True):
            batch = self.open or self._begin(outcome.producer)
            offset = batch.add(now, bytes_of_it)
            if offset is None:
                failure = self._flush()
                if failure is not None:
                    return failure
                batch = self._begin(outcome.producer)
                offset = batch.add(now, bytes_of_it)
                assert offset is not None, "the first record always goes in"
            if outcome.is_replayed:
                try:
                    self._replay(record, offset, outcome.producer)
                except Exception as error:
                    failure = bug(self._report, "a record could not be applied", error)
                    self._take_back(batch, failure)
                    return failure
        return None

    # --- batches ------------------------------------------------------------------------------

    def _begin(self, producer: Producer | None) -> OpenBatch:
        limit = max(self._log.max_batch_bytes, HEADER_SIZE)
        batch = OpenBatch(self.next_offset, limit, self._rules.codec, producer)
        self._timeline.open_layer(batch.base_offset)
        self.open = batch
        linger_ms = self._rules.linger_ms
        write = partial(self._flush_of_timer, batch)
        if linger_ms < 0:
            batch.timer = self._loop.call_soon(write)
        elif linger_ms > 0:
            batch.timer = self._loop.call_later(linger_ms, write)
        return batch

    def _flush_of_timer(self, batch: OpenBatch) -> None:
        if self.open is batch:
            self.is_busy = True
            try:
                self._flush()
            finally:
                self.is_busy = False
            self.settle()

    def _flush(self) -> KafkaError | None:
        """Write the open batch; why that failed, which its operations have been told."""
        batch = self.open
        if batch is None:
            return None
        try:
            base_offset = self._log.append(batch.build())
        except KafkaError as error:
            told = told_for(error)
            self._take_back(batch, told)
            if error.code is ErrorCode.KAFKA_STORAGE_ERROR:
                self._on_lost()  # the log takes nothing any more: another broker has to lead it
            return told
        self.open = None
        return self._note_written(batch, base_offset)

    def _note_written(self, batch: ShardBatch, base_offset: int) -> KafkaError | None:
        expected, self.next_offset = self.next_offset, batch.end_offset
        self.written.append(batch)
        if base_offset != expected:  # CRT-12: the state speaks of other offsets
            self._report(
                "a coordinator's batch is not where it was expected: it is loaded again",
                {"expected": expected, "base_offset": base_offset},
            )
            self._on_lost()
            return KafkaError(ErrorCode.NOT_COORDINATOR)
        self._log.when_committed(batch.end_offset, partial(self.on_committed, batch))
        return KafkaError(ErrorCode.NOT_COORDINATOR) if self._is_closed else None

    def _take_back(self, batch: OpenBatch, error: KafkaError) -> None:
        """The batch was not written: the state is what it was before it (CRT-07)."""
        self.open = None
        if batch.timer is not None:
            batch.timer.cancel()
        self._timeline.revert(batch.base_offset)
        for parked in batch.parked:
            parked.fail(error)

    def on_committed(self, batch: ShardBatch, reason: ErrorCode) -> None:
        if reason is ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND and not self._is_closed:
            # The batch is in the log and counts as soon as enough replicas are in sync again. Until
            # then its clients wait, each for as long as it may (CRT-08).
            self._log.when_committed(batch.end_offset, partial(self.on_committed, batch))
            return
        if reason is not ErrorCode.NONE:
            self._on_lost()
            return
        batch.is_committed = True
        if not self.is_busy:
            self.settle()

    def settle(self) -> None:
        """Answer what is committed, in the order in which it was decided."""
        if self.is_busy:
            return
        while self.written and self.written[0].is_committed:
            batch = self.written.popleft()
            self.committed_offset = batch.end_offset
            self._timeline.commit(batch.end_offset)
            for parked in batch.parked:
                parked.succeed()

    # --- load and unload ------------------------------------------------------------------------

    def loaded(self, base_offset: int, end_offset: int, high_watermark: int) -> None:
        """A batch of the log is about to be replayed; it may be above the watermark (CRT-14)."""
        if end_offset <= high_watermark:
            self.committed_offset = end_offset
        else:
            self._timeline.open_layer(base_offset)
            self.written.append(ShardBatch(base_offset, end_offset))
        self.next_offset = end_offset

    def await_loaded(self) -> None:
        """The log was replayed to its end: hear of the watermark."""
        self.next_offset = self._log.end_offset
        for batch in list(self.written):
            self._log.when_committed(batch.end_offset, partial(self.on_committed, batch))

    def close(self, error: KafkaError) -> None:
        """Refuse all who wait; nothing is written any more."""
        self._is_closed = True
        batches = list(self.written)
        self.written.clear()
        if self.open is not None:
            batches.append(self.open)
            if self.open.timer is not None:
                self.open.timer.cancel()
            self.open = None
        for batch in batches:
            for parked in batch.parked:
                parked.fail(error)


def _encoded(record: Record) -> Encoded:
    value = None if record.value is None else encode_value(record.value, record.version)
    return encode_key(record.key), value
