"""What transactional programs tried and were told, and what readers of committed records got.

Each record's value names the transaction that it was sent in, so that whoever finds it knows what
must have become of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any, NamedTuple

from barnabas.client import ConsumerRecord, TopicPartition
from barnabas.client.producing.transaction import Transaction
from barnabas.client.transactions.machine import Outcome

SOURCE = "ledger"
"""Written by several programs, some of whose transactions are aborted."""
TARGET = "copied"
"""Of each record of the source that was committed it has one, made by a program of a group."""
TOPICS = (SOURCE, TARGET)

SEPARATOR = b"|"
CLAIM_S = 1.0
"""A question for a transactional id that took longer was perhaps asked more than once."""

Found = Mapping[TopicPartition, Sequence[ConsumerRecord]]
"""What a consumer hands out at once."""


@dataclass(eq=False, slots=True)
class Attempt:
    """One transaction of one producer."""

    client: str
    """Its transactional id."""
    life: int
    """Which producer of the run began it: numbers of producers never come again."""
    number: int
    """Which of that producer's transactions."""
    begun_s: float
    sent: list[tuple[TopicPartition, bytes]] = field(default_factory=list)
    """Records in the order in which they were handed over."""
    stored: dict[bytes, int] = field(default_factory=dict)
    """Offsets that brokers told, by value."""
    offsets: Mapping[TopicPartition, int] = field(default_factory=dict)
    """Of the group that are to count with it."""
    asked_s: float | None = None
    """When its producer asked to commit it; None: it did not."""
    outcome: Outcome = Outcome.OPEN
    """As its producer was told; OPEN for ever where that died."""
    ended_s: float | None = None
    read: list[tuple[TopicPartition, int, bytes]] = field(default_factory=list)
    """Records that were handed out for it, in their order."""
    transaction: Transaction | None = None

    @property
    def is_given_up(self) -> bool:
        """Whether its own producer has decided that nothing of it shall be seen."""
        said = Outcome.OPEN if self.transaction is None else self.transaction.outcome
        return Outcome.ABORTED in (self.outcome, said)

    @property
    def name(self) -> str:
        """Unlike that of all others of the run."""
        return f"{self.client}/{self.life}/{self.number}"

    def value(self, extra: str = "") -> bytes:
        """A value that no other record has."""
        return f"{self.name}|{len(self.sent)}|{extra}".encode()


def attempt_of(value: bytes) -> str:
    """The name of the transaction that a record was sent in."""
    return value.partition(SEPARATOR)[0].decode()


def source_of(value: bytes) -> str:
    """The record of the source that this one of the target was made of."""
    return value.rpartition(SEPARATOR)[2].decode()


class Owned(NamedTuple):
    """A producer has started, and the transactional id is its own."""

    client: str
    life: int
    producer_id: int
    epoch: int
    asked_s: float


class Got(NamedTuple):
    """A reader of committed records was handed this one."""

    reader: str
    where: TopicPartition
    offset: int
    value: bytes


class Poll(NamedTuple):
    """What one call of a reader handed out."""

    reader: str
    records: tuple[Got, ...]
    at_s: float
    goes_on: bool
    """Whether it reads on where its last call ended."""


class FoundOffsets(NamedTuple):
    """What the group has committed, as its coordinator says."""

    offsets: Mapping[TopicPartition, int]
    asked_s: float
    answered_s: float
    is_current: bool
    """Whether it was the coordinator, and not one that another had replaced."""
    is_stable: bool
    """Whether offsets of open transactions were waited for."""


class Stable(NamedTuple):
    """The end of a partition as readers of committed records are told it."""

    where: TopicPartition
    offset: int
    asked_s: float
    answered_s: float


Listeners = list[Callable[[Any], object]]


@dataclass(slots=True)
class Attempts:
    """All transactions of one run."""

    note: Callable[[str], object]
    """Writes a line into the trace."""
    by_name: dict[str, Attempt] = field(default_factory=dict)
    polls: list[Poll] = field(default_factory=list)
    claimed: dict[str, float] = field(default_factory=dict)
    """When a producer last got each transactional id; infinite from its question on, and for ever
    where a question may still be on its way: that aborts whatever is open when it arrives."""
    lives: int = 0
    _claims: dict[str, int] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    """For reports: how often what happened."""
    on_owned: Listeners = field(default_factory=list)
    on_ended: Listeners = field(default_factory=list)
    on_got: Listeners = field(default_factory=list)
    on_found: Listeners = field(default_factory=list)
    on_stable: Listeners = field(default_factory=list)

    def count(self, what: str) -> None:
        """Once more."""
        self.counts[what] = self.counts.get(what, 0) + 1

    def note_error(self, error: BaseException) -> None:
        """Some program was told this."""
        self.count(type(error).__name__)

    def next_life(self) -> int:
        """The number of a producer that starts now."""
        self.lives += 1
        return self.lives

    def begin(self, attempt: Attempt) -> Attempt:
        """A transaction begins."""
        self.by_name[attempt.name] = attempt
        self.count("begun")
        self.note(f"transaction {attempt.name} begins")
        return attempt

    def asks(self, attempt: Attempt, now_s: float) -> None:
        """Its producer asks to commit it, for the first time."""
        if attempt.asked_s is None:
            attempt.asked_s = now_s
            self.note(f"transaction {attempt.name} is to be committed")

    def ends(self, attempt: Attempt, outcome: Outcome, now_s: float) -> None:
        """Its producer was told this, or can be told nothing more."""
        attempt.outcome, attempt.ended_s = outcome, now_s
        self.count(outcome.value)
        self.note(f"transaction {attempt.name} {outcome.value}")
        tell(self.on_ended, attempt)

    def owned(self, owned: Owned, now_s: float) -> None:
        """A producer has started."""
        self._is_claimed(owned, now_s)
        self.note(f"{owned.client}/{owned.life} is producer {owned.producer_id}#{owned.epoch}")
        tell(self.on_owned, owned)

    def claims(self, client: str) -> None:
        """A producer asks for this transactional id."""
        self._claims[client] = self._claims.get(client, 0) + 1
        self.claimed[client] = inf

    def _is_claimed(self, owned: Owned, now_s: float) -> None:
        if now_s - owned.asked_s < CLAIM_S:
            self._claims[owned.client] = self._claims.get(owned.client, 1) - 1
        self.claimed[owned.client] = inf if self._claims.get(owned.client) else now_s

    def reads(self, reader: str, found: Found, now_s: float, *, goes_on: bool) -> None:
        """A reader was handed these."""
        got = tuple(
            Got(reader, where, record.offset, record.value or b"")
            for where, records in found.items()
            for record in records
        )
        self.polls.append(Poll(reader, got, now_s, goes_on))
        for where, records in found.items():
            self.note(f"{reader} got {where} up to {records[-1].offset}")
        for one in got:
            tell(self.on_got, one)

    def found(self, found: FoundOffsets) -> None:
        """Somebody asked what the group has committed."""
        listed = ",".join(f"{where}={offset}" for where, offset in sorted(found.offsets.items()))
        self.note(f"found {listed or 'nothing'} asked {found.asked_s:.6f}")
        tell(self.on_found, found)

    def stable(self, stable: Stable) -> None:
        """Somebody asked where a partition ends for readers of committed records."""
        self.note(f"stable {stable.where} {stable.offset} asked {stable.asked_s:.6f}")
        tell(self.on_stable, stable)


def tell(listeners: Listeners, event: object) -> None:
    """Something happened."""
    for listener in listeners:
        listener(event)
