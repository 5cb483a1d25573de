"""Where the records of one `send_many` were stored: ranges of offsets instead of single ones."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from .batch import ProducerBatch


class SentRange(NamedTuple):
    """Consecutive offsets of one partition that records of one call were stored at.

    `first_offset` is -1 where the broker did not say it (acks=0).
    """

    topic: str
    partition: int
    first_offset: int
    record_count: int


class ManyReport:
    """Collects the results of the batches that hold the records of one call."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.future: asyncio.Future[list[SentRange]] = loop.create_future()
        self._open: dict[ProducerBatch, list[tuple[int, int]]] = {}
        self._ranges: list[SentRange] = []
        self._error: Exception | None = None
        self._is_complete = False

    def note(self, batch: ProducerBatch) -> None:
        """The next record is the last one in this batch now."""
        index = batch.record_count - 1
        known = self._open.get(batch)
        if known is None:
            self._open[batch] = [(index, 1)]
            if batch.is_done:  # at once: sent with acks=0, or refused
                self._done(batch, batch.error, batch.base_offset)
            else:
                batch.when_done.append(self._done)
            return
        first, count = known[-1]
        if first + count == index:
            known[-1] = (first, count + 1)
        else:
            known.append((index, 1))  # records of another call came in between

    def close(self) -> None:
        """All records are handed over."""
        self._is_complete = True
        self._settle()

    def _done(self, batch: ProducerBatch, error: Exception | None, base_offset: int) -> None:
        del base_offset
        parts = self._open.pop(batch)
        if error is not None:
            self._error = self._error or error
        for first, count in parts if error is None else ():
            for offset, size in batch.places(first, count):
                self._ranges.append(SentRange(*batch.topic_partition, offset, size))
        self._settle()

    def _settle(self) -> None:
        if self._open or not self._is_complete or self.future.done():
            return
        if self._error is not None:
            self.future.set_exception(self._error)
            self.future.exception()  # the producer has logged it, awaited or not
        else:
            self.future.set_result(sorted(self._ranges))
