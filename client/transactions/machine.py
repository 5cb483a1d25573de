"""The states of a transactional producer, and what is allowed in each; does no I/O.

    NEW --started--> READY --begin--> OPEN --flush--> FLUSHING --commit--> COMMITTING
    FLUSHING --reopen--> OPEN
    FLUSHING --prepare--> PREPARED --commit--> COMMITTING
    OPEN, FLUSHING, COMMITTING --fail--> FAILED
    OPEN, FLUSHING, FAILED, PREPARED --abort--> ABORTING
    COMMITTING, ABORTING --ended--> READY
    any --die--> DEAD

Rules:
- Records and offsets are taken in OPEN only, so every batch belongs to the transaction in which it
  was filled. A transaction of which any part failed is FAILED, and can only be aborted.
- In COMMITTING the coordinator may have been told: there is no way back to OPEN, and none to
  ABORTING, unless the coordinator itself says that it has not committed.
- In PREPARED everything is stored, and another process may have been told to end the transaction:
  nothing is taken, and stopping leaves it open.
- With `transaction.version` 2 (KIP-890) brokers add partitions to the transaction by themselves,
  and each end gives the producer a new epoch. Before that, a partition is added by a request of
  its own, and its records wait for the answer.
- What may have reached a coordinator without an answer makes the transaction uncertain: an abort
  accepts that there was nothing to abort, and asks for a new epoch, which fences whatever of the
  transaction is still on its way (KIP-360).
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from typing import NamedTuple

from ..errors import (
    AbortableTransactionError,
    FatalTransactionError,
    ProducerFencedError,
    TransactionError,
    TransactionStateError,
)
from ..structs import TopicPartition


class Phase(enum.StrEnum):
    """Where a transactional producer is."""

    NEW = "new"
    READY = "ready"
    OPEN = "open"
    FLUSHING = "flushing"
    PREPARED = "prepared"
    COMMITTING = "committing"
    FAILED = "failed"
    ABORTING = "aborting"
    DEAD = "dead"


class Outcome(enum.StrEnum):
    """What became of a transaction."""

    OPEN = "open"
    COMMITTED = "committed"
    ABORTED = "aborted"
    """Nothing of it will be seen, even if the coordinator has not confirmed that yet."""
    UNKNOWN = "unknown"
    """The coordinator was told to commit it, and has not said that it is, or is not: it is one or
    the other, and nothing in between."""


class ProducerIdAndEpoch(NamedTuple):
    """A producer id and its epoch; of one id, a later epoch fences the earlier ones."""

    producer_id: int = -1
    epoch: int = -1


UNDER_WAY = frozenset({Phase.OPEN, Phase.FLUSHING, Phase.FAILED})
"""Phases in which there is a transaction that only this producer can end."""

CAN_BE_ABORTED = UNDER_WAY | {Phase.PREPARED}
"""Phases in which there is a transaction that this producer can still abort."""

_REFUSALS = {
    Phase.NEW: "the producer is not started",
    Phase.READY: "no transaction is open: begin one first",
    Phase.OPEN: "a transaction is open",
    Phase.FLUSHING: "the transaction is being committed",
    Phase.PREPARED: "the transaction is prepared, and whoever it was handed to ends it",
    Phase.COMMITTING: "the coordinator has not said yet whether the transaction is committed:"
    " commit_transaction() asks again",
    Phase.FAILED: "the transaction has failed and must be aborted",
    Phase.ABORTING: "the transaction is being aborted",
    Phase.DEAD: "this producer is of no use any more: stop it, and start another",
}


class TransactionMachine:
    """The transaction of one producer; every method but the questions is one step."""

    def __init__(self) -> None:
        self.phase = Phase.NEW
        self.identity = ProducerIdAndEpoch()
        self.number = 0
        """How many transactions were begun."""
        self.outcome = Outcome.ABORTED
        """What became of the last of them."""
        self.adds_implicitly = False
        """Brokers add partitions to the open transaction by themselves."""
        self.error: Exception | None = None
        """Why the transaction failed, or the producer is dead."""
        self._added: set[TopicPartition] = set()
        self._wanted: set[TopicPartition] = set()
        self._is_begun = False
        self._is_uncertain = False
        self._needs_epoch = False

    # ------------------------------------------------------------ questions

    def refusal(self, what: str) -> TransactionError:
        """The error of a call that the present phase does not allow."""
        text = f"{what}: {_REFUSALS[self.phase]}"
        if self.error is not None:
            text += f" ({self.error})"
        made: TransactionError
        if isinstance(self.error, ProducerFencedError):
            made = ProducerFencedError(text, self.error.code)
        elif self.phase is Phase.DEAD:
            made = FatalTransactionError(text)
        elif self.phase is Phase.FAILED:
            made = AbortableTransactionError(text)
        else:
            made = TransactionStateError(text)
        made.__cause__ = self.error
        return made

    def check_open(self, what: str) -> None:
        """Raise unless records and offsets are taken now."""
        if self.phase is not Phase.OPEN:
            raise self.refusal(what)

    @property
    def has_begun(self) -> bool:
        """Whether the coordinator knows of this transaction, or may."""
        return self._is_begun or self._is_uncertain

    @property
    def is_uncertain(self) -> bool:
        """Whether the coordinator may know more of this transaction than this producer, or less."""
        return self._is_uncertain

    @property
    def needs_epoch(self) -> bool:
        """Whether nothing may be sent before the producer has a new epoch."""
        return (self._needs_epoch or self._is_uncertain) and not self.adds_implicitly

    def is_added(self, partition: TopicPartition) -> bool:
        """Whether records of this partition may be sent; if not, it is wanted from now on."""
        if self.adds_implicitly or partition in self._added:
            return True
        self._wanted.add(partition)
        return False

    def wanted(self) -> list[TopicPartition]:
        """The partitions that the coordinator must add before their records are sent."""
        return sorted(self._wanted)

    # ------------------------------------------------------------ steps

    def started(self, identity: ProducerIdAndEpoch) -> None:
        """A coordinator gave the producer its first identity."""
        assert self.phase is Phase.NEW, self.phase
        self.identity = identity
        self.phase = Phase.READY

    def begin(self, *, adds_implicitly: bool) -> None:
        """A transaction is open."""
        if self.phase is not Phase.READY:
            raise self.refusal("a transaction cannot be begun")
        self.adds_implicitly = adds_implicitly
        self.number += 1
        self.outcome = Outcome.OPEN
        self.phase = Phase.OPEN

    def sent(self) -> None:
        """Something is on its way that makes a broker begin the transaction, or may."""
        if not self._is_begun:
            self._is_uncertain = True

    def told(self) -> None:
        """The coordinator has the transaction, surely."""
        self._is_begun = True
        self._is_uncertain = False

    def added(self, partitions: Iterable[TopicPartition]) -> None:
        """The coordinator has these in the transaction."""
        self.told()
        self._added.update(partitions)
        self._wanted.difference_update(partitions)

    def lost_track(self) -> None:
        """What was sent has no answer, and may still come to pass."""
        self._needs_epoch = True

    def flush(self) -> None:
        """No more records are taken: the transaction is about to be committed."""
        if self.phase is not Phase.OPEN:
            raise self.refusal("the transaction cannot be committed")
        self.phase = Phase.FLUSHING

    def reopen(self) -> None:
        """The flush was given up; nothing is decided."""
        if self.phase is Phase.FLUSHING:
            self.phase = Phase.OPEN

    def prepare(self) -> None:
        """Every record is stored: from here on whoever is told of it may end it."""
        if self.phase is not Phase.FLUSHING:
            raise self.refusal("the transaction cannot be prepared")
        self.phase = Phase.PREPARED

    def commit(self) -> None:
        """Every record is stored: from here on the coordinator decides."""
        if self.phase not in (Phase.FLUSHING, Phase.PREPARED):
            raise self.refusal("the transaction cannot be committed")
        self.phase = Phase.COMMITTING
        self.outcome = Outcome.UNKNOWN

    def fail(self, error: Exception) -> None:
        """A part of the transaction failed; the first reason is the one that is told."""
        if self.phase in (Phase.OPEN, Phase.FLUSHING, Phase.COMMITTING):
            self.phase = Phase.FAILED
            self.outcome = Outcome.OPEN
            self.error = error

    def abort(self) -> None:
        """No part of the transaction will be seen; the same step again is none."""
        if self.phase in CAN_BE_ABORTED:
            self.phase = Phase.ABORTING
            self.outcome = Outcome.ABORTED
            self._wanted.clear()
        elif self.phase is not Phase.ABORTING:
            raise self.refusal("there is nothing to abort")

    def aborted(self, identity: ProducerIdAndEpoch | None) -> None:
        """The coordinator has aborted it; a new epoch may be missing still."""
        assert self.phase is Phase.ABORTING, self.phase
        self._needs_epoch = self.needs_epoch
        self._is_begun = self._is_uncertain = False
        if identity is not None:
            self.identity = identity

    def ended(self, identity: ProducerIdAndEpoch | None) -> None:
        """The coordinator has it committed or aborted; `identity` is what to go on with, None for
        the same."""
        assert self.phase in (Phase.COMMITTING, Phase.ABORTING), self.phase
        if self.phase is Phase.COMMITTING:
            self.outcome = Outcome.COMMITTED
        self._added.clear()
        self._wanted.clear()
        self._is_begun = self._is_uncertain = self._needs_epoch = False
        self.error = None
        if identity is not None:
            self.identity = identity
        self.phase = Phase.READY

    def die(self, error: Exception) -> None:
        """Nothing can be done with this producer any more."""
        if self.phase is not Phase.DEAD:
            if self.outcome is Outcome.OPEN:
                self.outcome = Outcome.ABORTED
            self.phase = Phase.DEAD
            self.error = error
            self._wanted.clear()
