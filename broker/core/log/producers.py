"""Idempotent producers and transactions of one partition (KIP-98; rules 98-02 to 98-06).

A leader checks a batch (`check`) before it is written and notes it (`add_batch`, `add_marker`)
after; a follower and recovery only note. What is noted depends on batches alone, so that replaying
the log from a snapshot gives the same state again.
"""

from __future__ import annotations

from barnabas.protocol.errors import ErrorCode, KafkaError

from .producer_entry import NO_EPOCH, NO_OFFSET, BatchMeta, ProducerEntry
from .transaction_index import AbortedTransaction
from .verifications import Verifications, VerifiedBatch

ABORT_MARKER = 0
COMMIT_MARKER = 1

NONE_OPEN = -1
_SEQUENCE_MASK = 0x7FFF_FFFF


class Producers:
    """State of all producers of a partition, and the transactions open in it."""

    __slots__ = (
        "_last_marker_offset",
        "_ongoing",
        "_undelivered",
        "by_id",
        "expiration_ms",
        "first_unstable_offset",
        "map_end_offset",
        "name",
        "verifications",
    )

    def __init__(self, name: str, expiration_ms: int) -> None:
        self.name = name
        """Topic and partition, for messages."""
        self.expiration_ms = expiration_ms
        self.by_id: dict[int, ProducerEntry] = {}
        self.map_end_offset = 0
        """State is that of the log up to here (only kept exact at snapshots and replays)."""
        self.first_unstable_offset = NONE_OPEN
        """First offset of the oldest transaction not yet decided below the high watermark."""
        # First offset -> producer id, and first offset -> offset of the marker while the high
        # watermark has not passed it. Offsets only grow, so both are in order by construction.
        self._ongoing: dict[int, int] = {}
        self._undelivered: dict[int, int] = {}
        self._last_marker_offset = NO_OFFSET
        self.verifications = Verifications()
        """Batches whose transaction its coordinator is being asked about."""

    def check(
        self, producer_id: int, epoch: int, base_sequence: int, last_sequence: int, *, txn: bool
    ) -> BatchMeta | None:
        """May a client's batch be appended? None: yes. A remembered batch: it is that one again.

        Raises KafkaError: INVALID_PRODUCER_EPOCH (an older epoch), OUT_OF_ORDER_SEQUENCE_NUMBER
        (not the next sequence), INVALID_TXN_STATE (not transactional inside a transaction).
        """
        entry = self.by_id.get(producer_id)
        if entry is None:
            return None
        if epoch == entry.epoch:
            known = entry.find_batch(base_sequence, last_sequence)
            if known is not None:
                return known
            if base_sequence != entry.next_sequence:
                raise self._out_of_order(entry, base_sequence, entry.last_sequence)
        elif epoch < entry.epoch:
            raise KafkaError(
                ErrorCode.INVALID_PRODUCER_EPOCH,
                f"producer {producer_id} comes to {self.name} with epoch {epoch}, "
                f"after epoch {entry.epoch}",
            )
        elif base_sequence != 0 and entry.epoch != NO_EPOCH:
            raise self._out_of_order(entry, base_sequence, -1)
        if entry.transaction_first_offset >= 0 and not txn:
            raise KafkaError(
                ErrorCode.INVALID_TXN_STATE,
                f"producer {producer_id} writes to {self.name} outside of its open transaction",
            )
        return None

    def begins_transaction(
        self, producer_id: int, epoch: int, base_sequence: int, last_sequence: int
    ) -> bool:
        """Whether this transactional batch would open a transaction here (TXN-50).

        No: one of this epoch is open, the batch is a repeated one, or its epoch is over.
        """
        entry = self.by_id.get(producer_id)
        if entry is None or epoch > entry.epoch:
            return True
        if epoch < entry.epoch or entry.transaction_first_offset >= 0:
            return False
        return entry.find_batch(base_sequence, last_sequence) is None

    def check_begin(
        self,
        producer_id: int,
        epoch: int,
        base_sequence: int,
        verified: VerifiedBatch | None,
        *,
        is_first_known: bool = False,
    ) -> None:
        """May a transactional batch begin a transaction here? `verified`: its coordinator said yes.

        `is_first_known`: the producer has an epoch for each transaction, so that what it writes
        first to a partition has sequence 0, also where nothing is known of it (KIP-890).
        Raises KafkaError: INVALID_TXN_STATE, nobody said so or the transaction ended meanwhile;
        OUT_OF_ORDER_SEQUENCE_NUMBER, an earlier batch of the same producer was asked about and is
        not here, or it would be the first, and is not (TXN-52).
        """
        if verified is None or verified.is_void:
            raise KafkaError(
                ErrorCode.INVALID_TXN_STATE,
                f"producer {producer_id} writes to {self.name} without a transaction there",
            )
        if producer_id in self.by_id:
            return
        lowest = 0 if is_first_known else self.verifications.lowest(producer_id, epoch)
        if lowest is not None and base_sequence > lowest:
            raise KafkaError(
                ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER,
                f"producer {producer_id} sent sequence {base_sequence} to {self.name}, "
                f"but {lowest} has not come",
            )

    def _out_of_order(self, entry: ProducerEntry, sequence: int, last: int) -> KafkaError:
        return KafkaError(
            ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER,
            f"producer {entry.producer_id} sent sequence {sequence} to {self.name} after {last}",
        )

    def add_batch(
        self,
        producer_id: int,
        epoch: int,
        last_sequence: int,
        base_offset: int,
        last_offset: int,
        timestamp: int,
        *,
        txn: bool,
    ) -> None:
        """Note an appended batch; a transactional one may open a transaction."""
        entry = self.by_id.get(producer_id)
        if entry is None:
            entry = self.by_id[producer_id] = ProducerEntry(producer_id, epoch)
        entry.add_batch(epoch, last_sequence, last_offset, last_offset - base_offset, timestamp)
        self.verifications.forget(producer_id)
        if txn and entry.transaction_first_offset < 0:
            entry.transaction_first_offset = base_offset
            self._ongoing[base_offset] = producer_id
            self._set_first_unstable()

    def check_marker(self, producer_id: int, epoch: int, coordinator_epoch: int) -> None:
        """May this marker be appended? Raises KafkaError if its epochs are outdated (98-05)."""
        entry = self.by_id.get(producer_id)
        if entry is None:
            return
        if epoch < entry.epoch:
            raise KafkaError(
                ErrorCode.INVALID_PRODUCER_EPOCH,
                f"marker for producer {producer_id} comes to {self.name} with epoch {epoch}, "
                f"after epoch {entry.epoch}",
            )
        if coordinator_epoch < entry.coordinator_epoch:
            raise KafkaError(
                ErrorCode.TRANSACTION_COORDINATOR_FENCED,
                f"marker of coordinator epoch {coordinator_epoch} comes to {self.name} "
                f"after epoch {entry.coordinator_epoch}",
            )

    def add_marker(
        self,
        producer_id: int,
        epoch: int,
        marker: int,
        coordinator_epoch: int,
        offset: int,
        timestamp: int,
    ) -> AbortedTransaction | None:
        """Note a commit or abort marker; the aborted transaction, if one ended by it."""
        self.verifications.ended(producer_id, epoch)
        self._last_marker_offset = offset
        entry = self.by_id.get(producer_id)
        if entry is None:
            entry = self.by_id[producer_id] = ProducerEntry(producer_id, epoch)
        if epoch != entry.epoch:
            entry.start_epoch(epoch)
        first = entry.transaction_first_offset
        entry.transaction_first_offset = NO_OFFSET
        entry.coordinator_epoch = coordinator_epoch
        entry.timestamp = timestamp
        if first < 0:
            return None
        self._ongoing.pop(first, None)
        stable = next(iter(self._ongoing), offset + 1)
        self._undelivered[first] = offset
        self._set_first_unstable()
        if marker == ABORT_MARKER:
            return AbortedTransaction(producer_id, first, offset, stable)
        return None

    def high_watermark_moved(self, high_watermark: int) -> None:
        """Transactions whose marker is below the high watermark hold nobody back any more."""
        if self._undelivered:
            done = [first for first, marker in self._undelivered.items() if marker < high_watermark]
            for first in done:
                del self._undelivered[first]
            if done:
                self._set_first_unstable()

    def _set_first_unstable(self) -> None:
        # Transactions end in another order than they begin, so `_undelivered` is not sorted.
        first = next(iter(self._ongoing), NONE_OPEN)
        if self._undelivered:
            oldest = min(self._undelivered)
            first = oldest if first < 0 else min(first, oldest)
        self.first_unstable_offset = first

    def open_transactions(self) -> dict[int, int]:
        """First offset -> producer id of the undecided transactions, oldest first."""
        return dict(self._ongoing)

    def in_order(self) -> list[ProducerEntry]:
        """All producers by id: the order of a snapshot file."""
        return [self.by_id[producer_id] for producer_id in sorted(self.by_id)]

    def load(self, entries: list[ProducerEntry], offset: int, now_ms: int) -> None:
        """Begin from a snapshot at `offset`, without producers that expired meanwhile."""
        self.clear(offset)
        for entry in entries:
            if not self._is_expired(entry, now_ms):
                self.by_id[entry.producer_id] = entry
        opened = sorted(
            (entry.transaction_first_offset, entry.producer_id)
            for entry in self.by_id.values()
            if entry.transaction_first_offset >= 0
        )
        self._ongoing.update(opened)
        self._set_first_unstable()

    def roll_back(self, offset: int) -> bool:
        """Be as at `offset` again, a few batches ago; False, and no change, if that is not known.

        Not with transactions under way, nor across a marker (it may have brought its producer a
        new epoch, which forgets the batches of the one before), nor where of a producer no batch
        before is remembered.
        """
        if self._ongoing or self._undelivered or self._last_marker_offset >= offset:
            return False
        later = [entry for entry in self.by_id.values() if entry.last_offset >= offset]
        if any(entry.batches[0][1] >= offset for entry in later):
            return False
        self.verifications.clear()
        for entry in later:
            entry.roll_back(offset)
        self.map_end_offset = offset
        return True

    def take_over(self, other: Producers) -> None:
        """Be what `other` is: the state that was worked out for a shorter log. Which markers the
        high watermark has not passed is known here, and was not in the snapshot it began from."""
        end = other.map_end_offset
        held = {first: marker for first, marker in self._undelivered.items() if marker < end}
        self.verifications.clear()
        self.by_id = other.by_id
        self._ongoing = other._ongoing
        self._undelivered = held | other._undelivered
        self.map_end_offset = end
        self._last_marker_offset = other._last_marker_offset
        self._set_first_unstable()

    def hold_back(self, earlier: Producers) -> None:
        """Take over whose marker the high watermark has not passed from `earlier`: the state that
        a snapshot below the watermark, and the batches since, lead to (98-06)."""
        self._undelivered |= earlier._undelivered
        self._set_first_unstable()

    def clear(self, offset: int) -> None:
        """Know nothing, from `offset` on."""
        self.by_id.clear()
        self.verifications.clear()
        self._ongoing.clear()
        self._undelivered.clear()
        self.first_unstable_offset = NONE_OPEN
        self.map_end_offset = offset
        self._last_marker_offset = NO_OFFSET

    def remove_expired(self, now_ms: int) -> int:
        """Forget producers silent for `producer.id.expiration.ms` (98-04); how many went."""
        gone = [pid for pid, entry in self.by_id.items() if self._is_expired(entry, now_ms)]
        for producer_id in gone:
            del self.by_id[producer_id]
        return len(gone)

    def keep_latest(self, count: int) -> int:
        """Forget all but the `count` producers that wrote last; how many went.

        Whoever is in a transaction stays. A producer that is forgotten and writes again is taken
        for a new one, as after its expiration (98-04).
        """
        idle = [
            (entry.last_offset, producer_id)
            for producer_id, entry in self.by_id.items()
            if entry.transaction_first_offset < 0
        ]
        idle.sort()
        gone = idle[: max(len(self.by_id) - count, 0)]
        for _, producer_id in gone:
            del self.by_id[producer_id]
        return len(gone)

    def _is_expired(self, entry: ProducerEntry, now_ms: int) -> bool:
        open_transaction = entry.transaction_first_offset >= 0
        return not open_transaction and now_ms - entry.timestamp >= self.expiration_ms


def last_sequence_of(base_sequence: int, last_offset_delta: int) -> int:
    """Sequence of a batch's last record; sequences wrap from 2^31-1 to 0."""
    return (base_sequence + last_offset_delta) & _SEQUENCE_MASK


def fair_share(counts: list[int], limit: int) -> int:
    """The most that each of some partitions may keep, so that all together keep `limit`.

    Those that have fewer keep what they have: who has many does not take from who has few.
    """
    left = limit
    ordered = sorted(counts)
    for number, count in enumerate(ordered):
        share = left // (len(ordered) - number)
        if count > share:
            return share
        left -= count
    return limit
