"""The logs of a fake cluster: partitions in memory that number, check and return batches."""

from __future__ import annotations

from collections import deque

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.record_batch import check_batch, check_client_batch, set_base_offset

BATCHES_REMEMBERED = 5


class FakeFollower:
    """What one follower has: a stretch of the leader's log, all of it by default."""

    def __init__(self) -> None:
        self.log_start: int | None = None
        self.end: int | None = None


class FakePartition:
    """One partition: appends with the idempotence rules of 98-02 and 98-03, reads whole batches."""

    def __init__(self, leader: int) -> None:
        self.leader = leader
        self.epoch = 0
        self.log_start = 0
        self.next_offset = 0
        self.last_stable_offset: int | None = None
        self.batches: list[tuple[int, int, bytes]] = []
        self.aborted: list[tuple[int, int]] = []
        self.followers: dict[int, FakeFollower] = {}
        """Nodes that hold a copy which consumers may read."""
        self.epoch_starts: list[tuple[int, int]] = []
        """(epoch, first offset), as in leader-epoch-checkpoint."""
        self.producers: dict[int, tuple[int, deque[tuple[int, int, int]]]] = {}

    def append(self, data: bytes) -> tuple[int, int]:
        """(error code, base offset) of one batch from a producer."""
        header = check_batch(data, 0, len(data))
        check_client_batch(header)
        assert header.size == len(data), "one batch a partition (KIP-98)"
        if header.producer_id >= 0:
            code, known = self._check_sequence(
                header.producer_id,
                header.producer_epoch,
                header.base_sequence,
                header.last_sequence,
            )
            if code or known >= 0:
                return code, known
        base = self.add(data, header.record_count)
        if header.producer_id >= 0:
            entry = self.producers.get(header.producer_id)
            if entry is None or entry[0] != header.producer_epoch:
                entry = (header.producer_epoch, deque(maxlen=BATCHES_REMEMBERED))
                self.producers[header.producer_id] = entry
            entry[1].append((header.base_sequence, header.last_sequence, base))
        return 0, base

    def add(self, data: bytes, count: int) -> int:
        """Put a batch at the end, as it is but for its offset."""
        base = self.next_offset
        if not self.epoch_starts or self.epoch_starts[-1][0] < self.epoch:
            self.epoch_starts.append((self.epoch, base))
        stamped = bytearray(data)
        set_base_offset(stamped, 0, base, self.epoch)
        self.batches.append((base, base + count, bytes(stamped)))
        self.next_offset += count
        return base

    def _check_sequence(self, producer: int, epoch: int, first: int, last: int) -> tuple[int, int]:
        entry = self.producers.get(producer)
        if entry is None:
            return 0, -1
        known_epoch, batches = entry
        if epoch < known_epoch:
            return int(ErrorCode.INVALID_PRODUCER_EPOCH), -1
        if epoch > known_epoch:
            return (0 if first == 0 else int(ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER)), -1
        for known_first, known_last, base in batches:
            if (known_first, known_last) == (first, last):
                return 0, base
        if batches and first != (batches[-1][1] + 1) % 2**31:
            return int(ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER), -1
        return 0, -1

    def read(self, offset: int, bytes_max: int) -> bytes:
        """Whole batches from the one that holds `offset`, at least one, up to `bytes_max`."""
        found = b""
        for _, end, data in self.batches:
            if end <= offset:
                continue
            if found and len(found) + len(data) > bytes_max:
                break
            found += data
        return found

    def end_of_epoch(self, epoch: int) -> tuple[int, int]:
        """101-02: the largest epoch up to this one, and the offset after it."""
        if epoch == self.epoch:
            return epoch, self.next_offset
        earlier = [each for each, _ in self.epoch_starts if each <= epoch]
        later = [start for each, start in self.epoch_starts if each > epoch]
        if epoch > self.epoch:
            return -1, -1
        return earlier[-1] if earlier else epoch, min(later, default=self.next_offset)

    def truncate(self, offset: int) -> None:
        """Lose what is at and after an offset, which is between two batches."""
        self.batches = [each for each in self.batches if each[1] <= offset]
        self.next_offset = offset
        self.epoch_starts = [each for each in self.epoch_starts if each[1] < offset]

    def delete_before(self, offset: int) -> None:
        """Raise the log start."""
        self.log_start = offset
        self.batches = [each for each in self.batches if each[1] > offset]


class FakeTopic:
    """A topic with an id that no other has."""

    ids = 0

    def __init__(self, leaders: list[int]) -> None:
        FakeTopic.ids += 1
        self.topic_id = FakeTopic.ids.to_bytes(16, "big")
        self.partitions = [FakePartition(leader) for leader in leaders]
