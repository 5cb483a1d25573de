"""Random lives of a log that idempotent and transactional producers write to."""

from __future__ import annotations

import struct

import pytest

from barnabas.broker.core.log.origin import Origin

from .batches import batch, marker
from .lives import LifeWithThreads
from .logs import append, offsets_of, read_all

TRANSACTIONAL = 0x10
CONTROL = 0x20
TRANSACTIONS_BY = 2
"""The producer that writes in transactions; 0 and 1 do not."""


class LifeWithProducers(LifeWithThreads):
    """What is known of producers is what the batches that are left say, whatever happened."""

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

    def truncate(self) -> None:
        super().truncate()
        self.check_producers(read_all(self.log))

    def close(self) -> None:
        self.flush_ends()
        self.retire_ends()
        before = self.producers()
        super().close()
        if self.log.log_start_offset < self.log.log_end_offset:
            assert self.producers() == before

    def lose_files(self) -> None:
        """None: without a snapshot no more is known than the batches say."""


@pytest.mark.parametrize("seed", [*range(40), 1235, 2933])
def test_producers_are_known_by_what_is_left(seed: int) -> None:
    """98-02, 98-04: after cuts, stops and power failures no batch counts that is gone, and none is
    forgotten that is there: else a retry would be written twice, or the next one refused."""
    LifeWithProducers(seed).live(250)
