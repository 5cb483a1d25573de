"""Where a consumer is in each of its partitions: what is delivered, fetched, paused, to be reset.

    position  <=  offsets in `buffered`  <=  fetch_offset

`position` moves when records are handed to the program, `fetch_offset` when they arrive. A seek
sets both and raises `generation`, so that the answer to a fetch that was under way is dropped.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from ..errors import CorruptMessageError, DeserializationError
from ..structs import ConsumerRecord, TopicPartition
from .fetched import FetchedRecords
from .refusals import Refusal

UNKNOWN = -1


class PartitionState:
    """One assigned partition."""

    __slots__ = (
        "_convert",
        "_epoch_before",
        "backoff_until",
        "buffered",
        "error",
        "fetch_epoch",
        "fetch_offset",
        "fetching",
        "generation",
        "has_damaged_copy",
        "high_watermark",
        "is_held",
        "is_paused",
        "last_stable_offset",
        "leader_epoch",
        "leader_until",
        "log_start_offset",
        "position",
        "preferred",
        "preferred_until",
        "refusal",
        "refused_below_by",
        "reset_reason",
        "reset_to",
        "row_at",
        "rows",
        "topic_id",
        "topic_partition",
        "validated_epoch",
    )

    def __init__(
        self,
        topic_partition: TopicPartition,
        convert: Callable[[ConsumerRecord], ConsumerRecord] | None = None,
    ) -> None:
        self.topic_partition = topic_partition
        self._convert = convert
        """Makes keys and values of the program's kinds, if it has deserializers."""
        self.position: int | None = None
        self.fetch_offset = UNKNOWN
        self.generation = 0
        self.reset_to: int | None = None
        """A timestamp, EARLIEST or LATEST to look the position up by; None when it is known."""
        self.reset_reason: str | None = None
        """Why the position was lost; None for the first position of all."""
        self.buffered: deque[FetchedRecords] = deque()
        self.rows: list[ConsumerRecord] = []
        """The batch that is being handed out, from index `row_at` on."""
        self.row_at = 0
        self.error: Exception | None = None
        """Raised to the program once it has read the records before it."""
        self.is_paused = False
        self.is_held = False
        """A group is about to take the partition away: nothing more of it is handed out."""
        self.fetching = UNKNOWN
        """The generation that a fetch under way is for."""
        self.backoff_until = 0.0
        self.high_watermark = UNKNOWN
        self.last_stable_offset = UNKNOWN
        self.log_start_offset = UNKNOWN
        self.leader_epoch = UNKNOWN
        """Epoch of the batch that is being handed out."""
        self._epoch_before = UNKNOWN
        self.fetch_epoch = UNKNOWN
        """Epoch of the last record before `fetch_offset`: what proves the position (KIP-320)."""
        self.validated_epoch = UNKNOWN
        """The position is known to be in the log of the leader of this epoch."""
        self.refusal: Refusal | None = None
        """Why `fetch_offset` must be compared with the leader's epochs first; see `Resets`."""
        self.refused_below_by = UNKNOWN
        """The follower that said that its log starts after `fetch_offset`; -1 if none did."""
        self.preferred = UNKNOWN
        """The node to read from instead of the leader, until `preferred_until` (392-14)."""
        self.preferred_until = 0.0
        self.leader_until = 0.0
        """Until this time only the leader is read from."""
        self.has_damaged_copy = False
        """The preferred replica sent damaged records: read from the leader for now."""
        self.topic_id: bytes | None = None
        """The topic that the position belongs to; one made anew under its name has another."""

    @property
    def buffered_bytes(self) -> int:
        return sum(each.size for each in self.buffered) if self.buffered else 0

    @property
    def position_epoch(self) -> int:
        """Epoch of the last record before `position`, -1 when unknown."""
        return self.leader_epoch if self.row_at > 0 else self._epoch_before

    @property
    def place_in_hand(self) -> tuple[int, int]:
        """Offset of the record that was handed out last, and the epoch of the one before it."""
        epoch = self.leader_epoch if self.row_at > 1 else self._epoch_before
        return self.rows[self.row_at - 1].offset, epoch

    @property
    def is_drained(self) -> bool:
        """Whether the program has read everything that was fetched."""
        return not self.buffered and self.row_at >= len(self.rows)

    def fill(self, only: FetchedRecords | None = None) -> bool:
        """Make sure that `rows` has one to hand out, decoding the next batch if need be.

        False when nothing is left (of `only`, if given). The position moves past what is never
        handed out: control batches, aborted records, gaps of compaction.

        Raises:
            CorruptMessageError: the next batch is damaged; it will be fetched anew. If a follower
                sent it nothing is raised, and the leader is asked.
        """
        while self.row_at >= len(self.rows):
            if not self.buffered or only not in (None, self.buffered[0]):
                return False
            fetched = self.buffered[0]
            try:
                columns = fetched.next_columns()
            except Exception as error:
                at = fetched.next_offset if self.position is None else self.position
                self.seek(at, self.leader_epoch)
                if isinstance(error, CorruptMessageError) and fetched.from_follower:
                    self.has_damaged_copy = True
                    return False
                raise
            self.row_at = 0
            if columns is None:
                self.rows = []
                self.position = max(self.position or 0, fetched.next_offset)
                # Of the last batch, which may have had nothing for the program (KIP-320).
                self.leader_epoch = max(self.leader_epoch, fetched.leader_epoch)
                self._epoch_before = self.leader_epoch
                self.buffered.popleft()
                continue
            self._epoch_before = max(self.leader_epoch, fetched.epoch_before)
            self.leader_epoch = columns.leader_epoch
            self._take_rows(columns.rows(*self.topic_partition))
        return True

    def _take_rows(self, rows: list[ConsumerRecord]) -> None:
        """Hand these out; up to the first that a deserializer refuses, which is raised then.

        Raises:
            DeserializationError: it is the first of them. The position stays before it.
        """
        if self._convert is None:
            self.rows = rows
            return
        self.rows = []
        for row in rows:
            try:
                self.rows.append(self._convert(row))
            except DeserializationError as error:
                if not self.rows:
                    self.seek(row.offset, self._epoch_before)
                    raise
                self.generation += 1
                self.buffered.clear()
                self.fetch_offset = row.offset
                self.fetch_epoch = row.leader_epoch
                self.fail(error)
                return

    def take(self, limit: int) -> list[ConsumerRecord]:
        """Up to `limit` records of the current batch; the position is then after them."""
        start = self.row_at
        rows = self.rows[start : start + limit] if start or limit < len(self.rows) else self.rows
        self.row_at = start + len(rows)
        self.position = rows[-1].offset + 1
        return rows

    def seek(self, offset: int, epoch: int = UNKNOWN) -> None:
        """Go on at an offset; `epoch` is that of the record before it, if known."""
        self._drop()
        self.position = self.fetch_offset = offset
        self.leader_epoch = self._epoch_before = self.fetch_epoch = epoch
        self.reset_to = self.reset_reason = None
        self.refused_below_by = UNKNOWN

    def reset(self, to: int, reason: str | None) -> None:
        """Look the position up first."""
        self._drop()
        self.fetch_offset = UNKNOWN
        self.reset_to = to
        self.reset_reason = reason

    def fail(self, error: Exception) -> None:
        """Nothing more is fetched until the program seeks; it gets the error when it reads on."""
        self.error = error

    def _drop(self) -> None:
        self.generation += 1
        self.buffered.clear()
        self.rows = []
        self.row_at = 0
        self.error = None
        self.backoff_until = 0.0
        self.refusal = None
        self.validated_epoch = UNKNOWN

    def can_fetch(self, now: float, buffered_bytes_max: int) -> bool:
        """Whether the next fetch should ask for this partition."""
        return (
            self.fetch_offset >= 0
            and self.reset_to is None
            and self.refusal is None
            and self.error is None
            and not self.is_paused
            and not self.is_held
            and self.fetching != self.generation
            and now >= self.backoff_until
            and self.buffered_bytes < buffered_bytes_max
        )
