"""Random lives of a log that idempotent and transactional producers write to."""

from __future__ import annotations

import struct

import pytest
from kit.examples import examples
from kit.log_batches import batch, marker
from kit.logs import append, offsets_of, read_all

from barnabas.broker.core.log.origin import Origin
from barnabas.broker.core.log.producers import ABORT_MARKER

from .lives import LifeWithThreads

TRANSACTIONAL = 0x10
CONTROL = 0x20
MARKER_TYPE_AT = 69
"""In a control batch: the lower byte of the type, in the key of its record."""
TRANSACTIONS_BY = 2
"""The producer that writes in transactions; 0 and 1 do not."""


class LifeWithProducers(LifeWithThreads):
    """What is known of producers is what the batches that are left say, whatever happened."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.latest_start = 0

    def append(self) -> None:
        """The next batch of one of three producers, or the end of a transaction."""
        if self.random.random() < 0.08:
            self.epoch += 1
        producer_id = self.random.randrange(3)
        entry = self.log.producers.by_id.get(producer_id)
        epoch, sequence = (0, 0) if entry is None else (entry.epoch, entry.next_sequence)
        if entry is not None and entry.transaction_first_offset >= 0 and self.random.random() < 0.3:
            data = marker(producer_id, epoch, commit=self.random.random() < 0.5)
            append(self.log, data, leader_epoch=self.epoch, origin=Origin.COORDINATOR)
            return
        if self.random.random() < 0.05:
            epoch, sequence = epoch + 1, 0
        values = [self.random.randbytes(self.random.randrange(60))] * self.random.randint(1, 2)
        attributes = TRANSACTIONAL if producer_id == TRANSACTIONS_BY else 0
        data = batch(
            *values,
            producer_id=producer_id,
            epoch=epoch,
            sequence=sequence,
            attributes=attributes,
        )
        append(self.log, data, leader_epoch=self.epoch)

    def producers(self) -> dict[int, tuple[int, ...]]:
        """Epoch, last sequence, last offset, next sequence, first offset of the transaction."""
        return {
            producer_id: (
                entry.epoch,
                entry.last_sequence,
                entry.last_offset,
                entry.next_sequence,
                entry.transaction_first_offset,
            )
            for producer_id, entry in self.log.producers.by_id.items()
        }

    def lose_power(self) -> None:
        self.note_start()
        super().lose_power()

    def note_start(self) -> None:
        self.latest_start = max(self.latest_start, self.log.log_start_offset)

    def check(self, kept: list[bytes]) -> None:
        super().check(kept)
        self.check_producers(kept)

    def check_producers(self, kept: list[bytes]) -> None:
        """Those whose last batch is in the log; of others a snapshot may know."""
        said: dict[int, tuple[int, int, int]] = {}
        for raw in kept:
            (attributes,) = struct.unpack_from(">h", raw, 21)
            producer_id, epoch, sequence = struct.unpack_from(">qhi", raw, 43)
            first, last = offsets_of(raw)
            if not attributes & CONTROL:
                said[producer_id] = (epoch, sequence + last - first, last)
        known = self.producers()
        for producer_id, fields in said.items():
            if fields[2] >= self.log.log_start_offset:
                assert known[producer_id][:3] == fields
        self.note_start()
        self.check_transactions(kept)

    def check_transactions(self, kept: list[bytes]) -> None:
        """Open, or aborted, as the batches say; but for those below a start of the log."""
        opened: dict[int, int] = {}
        aborted: set[tuple[int, int]] = set()
        for raw in kept:
            (attributes,) = struct.unpack_from(">h", raw, 21)
            (producer_id,) = struct.unpack_from(">q", raw, 43)
            if attributes & CONTROL:
                first = opened.pop(producer_id, None)
                if first is not None and raw[MARKER_TYPE_AT] == ABORT_MARKER:
                    aborted.add((producer_id, first))
            elif attributes & TRANSACTIONAL:
                opened.setdefault(producer_id, offsets_of(raw)[0])
        log = self.log
        known = {(producer, first) for first, producer in log.producers.open_transactions().items()}
        self.compare(known, set(opened.items()))
        known = set(log.aborted_transactions(log.log_start_offset, log.log_end_offset))
        self.compare(known, aborted)

    def compare(self, known: set[tuple[int, int]], said: set[tuple[int, int]]) -> None:
        for producer, first in known:
            assert (producer, first) in said or first < self.latest_start
        for producer, first in said:
            # One that began below the start of the log seems to begin at it.
            began = {other for by, other in known if by == producer and other <= first}
            assert began or first < self.latest_start

    def truncate(self) -> None:
        super().truncate()
        self.check_producers(read_all(self.log))

    def close(self) -> None:
        self.flush_ends()
        self.retire_ends()
        before = self.producers()
        super().close()
        assert self.producers() == before

    def lose_files(self) -> None:
        """None: without a snapshot no more is known than the batches say."""


@pytest.mark.parametrize("seed", [*range(examples(40)), 480, 1235, 2933])
def test_producers_are_known_by_what_is_left(seed: int) -> None:
    """98-02, 98-04, 98-06: after cuts, stops and power failures no batch counts that is gone, and
    none is forgotten that is there: else a retry would be written twice, or the next refused."""
    LifeWithProducers(seed).live(250)
