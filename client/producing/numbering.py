"""What a sender asks about the producer that it sends for: as whom, what may go, what became of it.

There are two answers: `ProducerIdentity`, without transactions, and `TransactionalNumbering`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

from .batch import ProducerBatch
from .partition_queue import PartitionQueue

PRODUCE_VERSION_MAX = 12
"""Version 13 names topics by id; by name a re-created topic is found again without a refresh."""


class Versions(NamedTuple):
    """The versions of Produce that may be used."""

    lowest: int = 0
    highest: int = PRODUCE_VERSION_MAX


class Numbering(Protocol):
    """Who the producer is to brokers, and whether a partition's batches may be sent now."""

    @property
    def transactional_id(self) -> str | None:
        """The name of the producer in each request, None for none."""
        ...

    @property
    def versions(self) -> Versions:
        """Which versions of Produce its batches may go in."""
        ...

    @property
    def gives_up(self) -> bool:
        """Whether a batch that was refused is not worth another attempt."""
        ...

    def attach(self, when_given: Callable[[], None], fail_waiting: FailWaiting) -> None:
        """The sender to tell when more may be sent, and which can fail all that was not sent."""
        ...

    def admits(self, queue: PartitionQueue) -> bool:
        """Whether the queue's next batch may be sent now, numbered; if not, what is missing is
        asked for."""
        ...

    def sending(self) -> None:
        """Batches leave."""
        ...

    def acknowledged(self) -> None:
        """A batch was stored."""
        ...

    def renew(self) -> None:
        """The broker no longer accepts the current producer id."""
        ...

    def failed(self, batch: ProducerBatch, error: Exception) -> None:
        """A batch failed for good."""
        ...

    async def close(self) -> None:
        """Stop asking."""
        ...


FailWaiting = Callable[[Exception], None]
"""Fails every batch that waits to be sent."""
