"""What a coordinator's state machine and the shard that runs it say to each other.

An operation is a function of the state. It changes nothing itself: it returns an `Outcome`, whose
records the shard applies at once by `Machine.replay`, appends to the log, and whose answer it gives
when the high watermark has passed them (CRT-06). The same `replay` runs while a shard is loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.message import Message

AnswerT = TypeVar("AnswerT")
AnswerT_contra = TypeVar("AnswerT_contra", contravariant=True)


@dataclass(frozen=True, slots=True)
class Record:
    """One record of an internal topic: what is said of which key; no value: a tombstone."""

    key: Message
    value: Message | None
    version: int = 0
    """Version that the value is written in."""


@dataclass(frozen=True, slots=True)
class Producer:
    """Who wrote a transactional record: producer id and epoch."""

    producer_id: int
    epoch: int


@dataclass(frozen=True, slots=True)
class Outcome(Generic[AnswerT]):
    """What an operation decided."""

    answer: AnswerT
    """Given when all records of this and of earlier operations are committed, also if it has none
    of its own (CRT-09)."""
    records: Sequence[Record] = ()
    is_atomic: bool = False
    """All records go into one batch, or none does (CRT-11)."""
    producer: Producer | None = None
    """The records are part of this producer's transaction: they get their own batch (CRT-10)."""
    is_replayed: bool = True
    """Whether the shard applies the records at once. Classic groups apply them in `on_appended`,
    since answers that wait in them cannot be taken back (CRT-19)."""
    on_appended: Callable[[ErrorCode], object] | None = None
    """Called once: with NONE when the records are committed, else with why they never will be."""


Operation = Callable[[], Outcome[AnswerT]]
"""Decides on the latest state. It may raise KafkaError, which is then the answer."""


class Reply(Protocol[AnswerT_contra]):
    """Where an answer goes that the state machine gives itself, later (a JoinGroup that waits)."""

    def give(self, answer: AnswerT_contra) -> None:
        """Send the answer; later calls change nothing."""
        ...

    def refuse(self, error: KafkaError) -> None:
        """Send an error instead of the answer."""
        ...


class ShardTimers(Protocol):
    """Timers of one shard. They are not stored: a machine that was loaded sets them (CRT-17)."""

    def schedule(self, key: Hashable, delay_ms: float, operation: Operation[None]) -> None:
        """Run `operation` as a write in `delay_ms` milliseconds; replaces the timer of this key.

        An operation that fails is tried again after 500 ms, unless the shard is gone.
        """
        ...

    def cancel(self, key: Hashable) -> None:
        """Forget the timer of this key; no error if there is none."""
        ...

    def is_set(self, key: Hashable) -> bool:
        """Whether there is a timer of this key that has not gone off."""
        ...


class Machine(Protocol):
    """The state of one shard, built from its records alone."""

    def replay(self, record: Record, offset: int, producer: Producer | None) -> None:
        """Apply one record, which is or will be at `offset` of the log.

        It accepts records that a compacted log may hold in any state (CRT-16).
        """
        ...

    def replay_end(self, producer: Producer, *, is_commit: bool) -> None:
        """Apply the end of a producer's transaction: a control record of the log."""
        ...

    def on_loaded(self) -> None:
        """The log was replayed up to its end: set timers, look after what waits (CRT-17)."""
        ...

    def on_unloaded(self) -> None:
        """The shard goes: refuse what waits in the machine with NOT_COORDINATOR (CRT-18)."""
        ...
