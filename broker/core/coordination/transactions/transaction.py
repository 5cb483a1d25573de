"""What is known of one transactional id: its producer, and the transaction it has or had last.

Values are immutable: each change makes another one, which is what a record of
`__transaction_state` says.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Final

NO_PRODUCER_ID: Final = -1
NO_EPOCH: Final = -1
NOT_STARTED: Final = -1
EPOCH_MAX: Final = 32767
LAST_GIVEN_EPOCH: Final = EPOCH_MAX - 1
"""The largest epoch that a producer ever gets: the one after it is left to fence it."""

BEFORE_EPOCH_BUMPS: Final = 0
EPOCH_BUMPS: Final = 2
"""`transaction.version` from which each transaction has its own epoch (KIP-890)."""

TopicPartition = tuple[str, int]


class State(IntEnum):
    """States of a transaction, with the numbers that are stored."""

    EMPTY = 0
    ONGOING = 1
    PREPARE_COMMIT = 2
    PREPARE_ABORT = 3
    COMPLETE_COMMIT = 4
    COMPLETE_ABORT = 5
    DEAD = 6
    """Kafka's own name for an id that expires; a log may hold it, no transition leads to it."""

    @property
    def shown(self) -> str:
        """Its name as ListTransactions and DescribeTransactions tell it."""
        return "".join(word.capitalize() for word in self.name.split("_"))

    @property
    def is_ending(self) -> bool:
        """Decided, and markers are under way."""
        return self in (State.PREPARE_COMMIT, State.PREPARE_ABORT)

    @property
    def is_complete(self) -> bool:
        """Ended, and all markers are written."""
        return self in (State.COMPLETE_COMMIT, State.COMPLETE_ABORT)

    @property
    def is_at_rest(self) -> bool:
        """No transaction: the id may be forgotten once it is old (TXN-23)."""
        return self is State.EMPTY or self.is_complete


_COMPLETED: Final = {
    State.PREPARE_COMMIT: State.COMPLETE_COMMIT,
    State.PREPARE_ABORT: State.COMPLETE_ABORT,
}

MAY_BECOME: Final[dict[State, frozenset[State]]] = {
    State.EMPTY: frozenset((State.EMPTY, State.ONGOING, State.PREPARE_ABORT)),
    State.ONGOING: frozenset((State.ONGOING, State.PREPARE_COMMIT, State.PREPARE_ABORT)),
    State.PREPARE_COMMIT: frozenset((State.COMPLETE_COMMIT,)),
    State.PREPARE_ABORT: frozenset((State.COMPLETE_ABORT,)),
    State.COMPLETE_COMMIT: frozenset((State.EMPTY, State.ONGOING, State.PREPARE_ABORT)),
    State.COMPLETE_ABORT: frozenset((State.EMPTY, State.ONGOING, State.PREPARE_ABORT)),
    State.DEAD: frozenset(),
}
"""Every transition that there is; an abort without partitions is one of KIP-890's producers."""


@dataclass(frozen=True, slots=True)
class Transaction:
    """A transactional id at one moment."""

    producer_id: int
    epoch: int
    timeout_ms: int
    updated_ms: int
    """Wall clock of the last change."""
    state: State = State.EMPTY
    partitions: frozenset[TopicPartition] = frozenset()
    started_ms: int = NOT_STARTED
    """Wall clock at which the transaction began, that of the last one if it is complete."""
    last_epoch: int = NO_EPOCH
    """The one before, if its owner may ask for the present one again; not stored (REC-03)."""
    previous_producer_id: int = NO_PRODUCER_ID
    next_producer_id: int = NO_PRODUCER_ID
    """Takes over, with epoch 0, when the transaction is complete."""
    client_version: int = BEFORE_EPOCH_BUMPS
    """`transaction.version` that the producer's requests stand for."""

    decision: int = 0
    """Number of its end in this life of the shard; 0 for what was loaded. It is not stored."""

    @property
    def is_exhausted(self) -> bool:
        """Whether this producer id has no further epoch to give."""
        return self.epoch >= LAST_GIVEN_EPOCH

    @property
    def is_held_by_next(self) -> bool:
        """Whether its producer was told another producer id, which counts from Complete on."""
        return self.state.is_ending and self.next_producer_id != NO_PRODUCER_ID

    def owned_from_now(self, producer_id: int, epoch: int, last_epoch: int) -> Transaction:
        """Without a transaction, for the producer that is told this id and epoch (TXN-01)."""
        return replace(
            self,
            producer_id=producer_id,
            epoch=epoch,
            last_epoch=last_epoch,
            previous_producer_id=self.producer_id,
            next_producer_id=NO_PRODUCER_ID,
            state=State.EMPTY,
            partitions=frozenset(),
            started_ms=NOT_STARTED,
        )

    def with_partitions(
        self, partitions: frozenset[TopicPartition], client_version: int, now_ms: int
    ) -> Transaction:
        """Ongoing, with these partitions too (TXN-10)."""
        ongoing = self.state is State.ONGOING
        return replace(
            self,
            state=State.ONGOING,
            partitions=self.partitions | partitions if ongoing else partitions,
            started_ms=self.started_ms if ongoing else now_ms,
            updated_ms=now_ms,
            client_version=client_version,
            previous_producer_id=self.producer_id,
        )

    def ending(
        self, decision: int, *, is_commit: bool, client_version: int, now_ms: int
    ) -> Transaction:
        """Decided, with the epoch as it is."""
        is_begun = self.state is State.ONGOING
        return replace(
            self,
            state=State.PREPARE_COMMIT if is_commit else State.PREPARE_ABORT,
            partitions=self.partitions if is_begun else frozenset(),
            started_ms=self.started_ms if is_begun else now_ms,
            updated_ms=now_ms,
            client_version=client_version,
            previous_producer_id=self.producer_id,
            decision=decision,
        )

    def completed(self, now_ms: int) -> Transaction:
        """All markers are written (TXN-34)."""
        ended = replace(
            self, state=_COMPLETED[self.state], partitions=frozenset(), updated_ms=now_ms
        )
        if self.next_producer_id == NO_PRODUCER_ID:
            return ended
        return replace(
            ended,
            producer_id=self.next_producer_id,
            epoch=0,
            previous_producer_id=self.producer_id,
            next_producer_id=NO_PRODUCER_ID,
        )
