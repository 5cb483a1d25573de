"""What clients asked for and what they were told: acknowledged, failed, unknown, read.

Plain records, in the order in which they happened; checks listen to them while the run goes on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from barnabas.client import TopicPartition

OPEN, ACKED, FAILED, GONE = "open", "acked", "failed", "gone"
"""A send is gone when its producer crashed before it heard how it ended."""

WEAK = b"weak "
"""How values of producers with acks=1 begin: they may be lost, and stored twice."""


@dataclass(eq=False, slots=True)
class Send:
    """One record that a producer handed over."""

    producer: str
    number: int
    where: TopicPartition
    value: bytes
    acks: int
    at_s: float
    limit_s: float
    """Time in which the call must end (L-4)."""
    outcome: str = OPEN
    offset: int = -1
    ended_s: float = -1.0
    error: str = ""


class Read(NamedTuple):
    """One record that a consumer handed out."""

    consumer: str
    where: TopicPartition
    offset: int
    value: bytes
    leader_epoch: int


class Moved(NamedTuple):
    """A consumer moved a position by itself and said so."""

    consumer: str
    where: TopicPartition
    from_offset: int
    to_offset: int
    reason: str
    is_truncation: bool = False
    """Whether it said that records which it had read are gone (KIP-320)."""


class Latest(NamedTuple):
    """An answer for LATEST, and when it had been asked for."""

    poller: str
    where: TopicPartition
    offset: int
    asked_s: float
    answered_s: float


@dataclass(slots=True)
class History:
    """Everything of one run."""

    sends: list[Send] = field(default_factory=list)
    acked: dict[TopicPartition, dict[int, Send]] = field(default_factory=dict)
    """Acknowledged records by offset."""
    reads: int = 0
    latest: int = 0
    moves: list[Moved] = field(default_factory=list)
    topics_created: int = 0
    topics_deleted: int = 0
    churned: int = 0
    """Records that were read of topics which come and go."""
    deletions: int = 0
    """Answers that records were deleted."""
    tabled: int = 0
    """Keys that were read of a compacted topic."""
    errors: dict[str, int] = field(default_factory=dict)
    """How often clients were told which error, by its class."""
    latencies_s: list[float] = field(default_factory=list)
    on_acked: list[Callable[[Send], object]] = field(default_factory=list)
    on_read: list[Callable[[Read], object]] = field(default_factory=list)
    on_moved: list[Callable[[Moved], object]] = field(default_factory=list)
    on_latest: list[Callable[[Latest], object]] = field(default_factory=list)
    on_joined: list[Callable[[str, Any], object]] = field(default_factory=list)
    on_foreign: list[Callable[[str], object]] = field(default_factory=list)
    on_wrong: list[Callable[[str, str, TopicPartition | None], object]] = field(
        default_factory=list
    )
    on_changed: list[Callable[[TopicPartition, str], object]] = field(default_factory=list)

    def begin(self, send: Send) -> None:
        """A producer hands a record over."""
        self.sends.append(send)

    def acknowledge(self, send: Send, offset: int, now_s: float) -> None:
        """The broker says that it is stored at `offset`."""
        send.outcome, send.offset, send.ended_s = ACKED, offset, now_s
        self.latencies_s.append(now_s - send.at_s)
        if offset >= 0:
            self.acked.setdefault(send.where, {})[offset] = send
        for listener in self.on_acked:
            listener(send)

    def fail(self, send: Send, error: BaseException, now_s: float) -> None:
        """It may be stored or not: the producer gave up."""
        send.outcome, send.ended_s, send.error = FAILED, now_s, repr(error)
        self.note_error(error)

    def abandon(self, producer: str, now_s: float) -> None:
        """The producer crashed: nobody will ever know how its open calls end."""
        for send in self.sends:
            if send.producer == producer and send.outcome == OPEN:
                send.outcome, send.ended_s = GONE, now_s

    def note_error(self, error: BaseException) -> None:
        """A client was told this."""
        name = type(error).__name__
        self.errors[name] = self.errors.get(name, 0) + 1

    def read(self, read: Read) -> None:
        """A consumer hands a record out."""
        self.reads += 1
        for listener in self.on_read:
            listener(read)

    def moved(self, moved: Moved) -> None:
        """A consumer says that it moved by itself."""
        self.moves.append(moved)
        for listener in self.on_moved:
            listener(moved)

    def answered(self, latest: Latest) -> None:
        """A poller got an offset."""
        self.latest += 1
        for listener in self.on_latest:
            listener(latest)

    def joined(self, name: str, client: Any) -> None:
        """A client has started."""
        for listener in self.on_joined:
            listener(name, client)

    def foreign(self, text: str) -> None:
        """A reader of a topic got what was never written to this topic."""
        for listener in self.on_foreign:
            listener(text)

    def wrong(self, rule: str, text: str, where: TopicPartition | None = None) -> None:
        """An answer that the rule does not allow; `where`: whose records the rule is about."""
        for listener in self.on_wrong:
            listener(rule, text, where)

    def changed(self, where: TopicPartition, text: str) -> None:
        """A key of a compacted topic has another value than it must have."""
        for listener in self.on_changed:
            listener(where, text)

    def count(self, outcome: str) -> int:
        """Sends with this outcome."""
        return sum(send.outcome == outcome for send in self.sends)
