"""What a partition remembers of one idempotent or transactional producer."""

from __future__ import annotations

BatchMeta = tuple[int, int, int, int]
"""Of a batch: last sequence, last offset, last offset minus first offset, max timestamp."""

BATCHES_KEPT = 5
"""How many batches back a retry is recognised (98-02); a client has at most 5 in flight."""

NO_EPOCH = -1
NO_OFFSET = -1
NO_SEQUENCE = -1

_SEQUENCE_MASK = 0x7FFF_FFFF


class ProducerEntry:
    """State of one producer id: epoch, the last batches, the open transaction if there is one."""

    __slots__ = (
        "batches",
        "coordinator_epoch",
        "epoch",
        "next_sequence",
        "producer_id",
        "timestamp",
        "transaction_first_offset",
    )

    def __init__(
        self,
        producer_id: int,
        epoch: int = NO_EPOCH,
        coordinator_epoch: int = -1,
        timestamp: int = -1,
        transaction_first_offset: int = NO_OFFSET,
    ) -> None:
        self.producer_id = producer_id
        self.epoch = epoch
        self.coordinator_epoch = coordinator_epoch
        self.timestamp = timestamp
        self.transaction_first_offset = transaction_first_offset
        # A deque would do the counting, and take 600 bytes more for each producer that ever wrote.
        self.batches: list[BatchMeta] = []
        self.next_sequence = 0

    @property
    def last_sequence(self) -> int:
        return self.batches[-1][0] if self.batches else NO_SEQUENCE

    @property
    def last_offset(self) -> int:
        return self.batches[-1][1] if self.batches else NO_OFFSET

    @property
    def last_offset_delta(self) -> int:
        return self.batches[-1][2] if self.batches else 0

    def add_batch(
        self, epoch: int, last_sequence: int, last_offset: int, delta: int, timestamp: int
    ) -> None:
        """Remember an appended batch; a new epoch forgets the batches of the old one."""
        if epoch != self.epoch:
            self.start_epoch(epoch)
        batches = self.batches
        batches.append((last_sequence, last_offset, delta, timestamp))
        if len(batches) > BATCHES_KEPT:
            del batches[0]
        self.next_sequence = (last_sequence + 1) & _SEQUENCE_MASK
        self.timestamp = timestamp

    def roll_back(self, offset: int) -> None:
        """Forget the batches from `offset` on; one before them is remembered."""
        while self.batches[-1][1] >= offset:
            self.batches.pop()
        self.next_sequence = (self.last_sequence + 1) & _SEQUENCE_MASK
        self.timestamp = self.batches[-1][3]

    def start_epoch(self, epoch: int) -> None:
        """Begin `epoch`: its sequences start at 0."""
        self.epoch = epoch
        self.batches.clear()
        self.next_sequence = 0

    def find_batch(self, base_sequence: int, last_sequence: int) -> BatchMeta | None:
        """The remembered batch with exactly this range of sequences (98-02)."""
        for batch in self.batches:
            if (
                batch[0] == last_sequence
                and (batch[0] - batch[2]) & _SEQUENCE_MASK == base_sequence
            ):
                return batch
        return None
