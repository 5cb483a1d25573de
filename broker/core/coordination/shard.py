"""One shard of a coordinator: one line of execution over one partition of an internal topic.

Operations become records, which the state takes at once; they are written in batches, and answered
when the high watermark has passed them (CRT-06). All of this is for one leader epoch: another epoch
begins with another shard, loaded from the log (CRT-13).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from functools import partial
from typing import Any, Final, Generic, TypeVar  # Any: shards of any machine

from barnabas.protocol.errors import ErrorCode, KafkaError

from ..ports import Clock
from ..replication.end_markers import EndMarker
from .loaded_batch import LoadedBatch
from .machine import AnswerT, Machine, Operation, Outcome, Producer, Reply, ShardTimers
from .shard_batch import Parked, ShardBatch
from .shard_ports import ShardLog, ShardLoop
from .shard_timers import LoopTimers
from .shard_writer import Report, ShardRules, ShardWriter, bug
from .timeline import Timeline

MachineT = TypeVar("MachineT", bound=Machine)
ResultT = TypeVar("ResultT")

REPLAYED_AT_ONCE: Final = 500
"""So many records of the log are replayed before others get a turn; a millisecond or two."""


class Phase(Enum):
    """How far a shard is."""

    LOADING = "loading"
    ACTIVE = "active"
    GONE = "gone"


class Shard(Generic[MachineT]):
    """State machine and log of one partition in one leader epoch."""

    def __init__(
        self,
        make: Callable[[Timeline, ShardTimers], MachineT],
        log: ShardLog,
        loop: ShardLoop,
        clock: Clock,
        rules: ShardRules,
        *,
        report: Report,
        on_lost: Callable[[], object],
    ) -> None:
        """`on_lost`: called when state and log can no longer be the same, after `unload`."""
        self.timeline = Timeline()
        self.timers = LoopTimers(loop, self._write_of_timer)
        self.machine = make(self.timeline, self.timers)
        self.phase = Phase.LOADING
        self.writer = ShardWriter(
            self.timeline,
            self.machine.replay,
            log,
            loop,
            clock,
            rules,
            report=report,
            on_lost=self._lose,
        )
        self._loaded: ShardBatch | None = None
        self._active_since_ms = 0.0
        self._loop = loop
        self._timeout_ms = rules.timeout_ms
        self._report = report
        self._on_lost = on_lost

    @property
    def committed_offset(self) -> int:
        """The state at this offset is what is committed (CRT-09)."""
        return self.writer.committed_offset

    @property
    def is_behind(self) -> bool:
        """Whether the watermark has not passed yet what was loaded (CRT-14).

        A new leader learns the watermark from its followers' fetches; until then it lies below what
        the leader before it acknowledged, and so does the state at it.
        """
        return self._loaded is not None and self.committed_offset < self._loaded.end_offset

    # --- what is asked of it --------------------------------------------------------------------

    def write(self, operation: Operation[AnswerT], reply: Reply[AnswerT]) -> None:
        """Run an operation; `reply` gets its answer when what it wrote is committed, or an error.

        The error is what the operation raised, 14 while loading, 16 when the shard is gone, what
        the append came to (CRT-05), or 15 when replication took too long (CRT-08).
        """
        self._run(operation, reply.give, reply.refuse, has_limit=True)

    def park(self, operation: Operation[None], reply: Reply[AnswerT]) -> None:
        """The same for an operation that keeps `reply` to answer it later; errors go there too."""
        self._run(operation, _say_nothing, reply.refuse, has_limit=True)

    def after_load(self, reply: Reply[AnswerT]) -> Reply[AnswerT]:
        """The same reply; while the shard `is_behind`, one that has answers wait for its end.

        Answers that the machine gives itself say what the state is, and part of a state that was
        just loaded may come to nothing: another replica leads next, without these records. Errors
        are given at once, and 15 in place of an answer that would take too long.
        """
        return _AfterLoad(self, reply) if self.is_behind else reply

    def read(
        self, look: Callable[[MachineT, int], ResultT], *, may_be_old: bool = False
    ) -> ResultT:
        """Look at the state at the offset that is passed, up to which it is committed (CRT-09).

        Raises KafkaError: 14, 16, and what `look` raises; 14 also while the shard `is_behind`,
        unless the state `may_be_old`: it would be told an offset that is older than one whose
        commit was answered. Kafka tells it.
        """
        self._check_active()
        if not may_be_old and self.is_behind:
            raise KafkaError(
                ErrorCode.COORDINATOR_LOAD_IN_PROGRESS, "what was loaded is not committed yet"
            )
        return look(self.machine, self.committed_offset)

    def when_caught_up(self, reply: Reply[None]) -> None:
        """Answer when the shard is not behind (`is_behind`).

        The reply gets 14 while loading, 16 when the shard is gone, and 15 when the load is
        `timeout_ms` ago: without enough replicas in sync the watermark stands still.
        """
        try:
            self._check_active()
        except KafkaError as error:
            reply.refuse(error)
            return
        if self._loaded is None or not self.is_behind:
            reply.give(None)
            return
        parked: Parked[None] = Parked(Outcome(None), reply.give, reply.refuse)
        rest_ms = self._active_since_ms + self._timeout_ms - self._loop.now_ms()
        parked.limit(self._loop.call_later(max(0.0, rest_ms), parked.time_out))
        self._loaded.parked.append(parked)

    def end_transaction(self, marker: EndMarker, reply: Reply[None]) -> None:
        """Write a marker, and apply the end of that transaction in the same step (CRT-20).

        `reply` as of `write`; of the append it gets the error itself, as markers have rules of
        their own for it (TXN-33).
        """
        self._in_turn(lambda: self._end(marker, reply), reply.refuse)

    def _end(self, marker: EndMarker, reply: Reply[None]) -> KafkaError | None:
        parked: Parked[None] = Parked(Outcome(None), reply.give, reply.refuse)
        producer = Producer(marker.producer_id, marker.epoch)

        def apply() -> None:
            self.machine.replay_end(producer, is_commit=marker.is_commit)

        try:
            self._check_active()
            failure = self.writer.add_marker(marker, apply, parked)
        except KafkaError as error:
            return error
        if failure is None:
            parked.limit(self._loop.call_later(self._timeout_ms, parked.time_out))
        return failure

    def _write_of_timer(
        self, operation: Operation[None], refuse: Callable[[KafkaError], object]
    ) -> None:
        self._run(operation, _say_nothing, refuse, has_limit=False)

    def _check_active(self) -> None:
        if self.phase is Phase.LOADING:
            raise KafkaError(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS)
        if self.phase is Phase.GONE:
            raise KafkaError(ErrorCode.NOT_COORDINATOR)

    # --- operations ---------------------------------------------------------------------------

    def _run(
        self,
        operation: Operation[AnswerT],
        give: Callable[[AnswerT], object],
        refuse: Callable[[KafkaError], object],
        *,
        has_limit: bool,
    ) -> None:
        self._in_turn(lambda: self._decide(operation, give, refuse, has_limit=has_limit), refuse)

    def _in_turn(
        self, step: Callable[[], KafkaError | None], refuse: Callable[[KafkaError], object]
    ) -> None:
        writer = self.writer
        assert not writer.is_busy, "an operation within an operation"
        writer.is_busy = True
        try:
            error = step()
        finally:
            writer.is_busy = False
        if error is not None:
            refuse(error)
        writer.settle()

    def _decide(
        self,
        operation: Operation[AnswerT],
        give: Callable[[AnswerT], object],
        refuse: Callable[[KafkaError], object],
        *,
        has_limit: bool,
    ) -> KafkaError | None:
        """Run the operation and write what it decided; why it is refused at once, if it is."""
        try:
            self._check_active()
            outcome = operation()
        except KafkaError as error:
            return error
        except Exception as error:
            return bug(self._report, "an operation failed", error)
        parked = Parked(outcome, give, refuse)
        if has_limit and (outcome.records or self.writer.latest is not None):
            parked.limit(self._loop.call_later(self._timeout_ms, parked.time_out))
        failure = self.writer.add(outcome, parked)
        if failure is not None:
            parked.fail(failure)
        return None

    # --- from the log, and back to nothing ------------------------------------------------------

    def begin_at(self, offset: int) -> None:
        """The log begins here: nothing is loaded yet, and nothing below is asked for."""
        self.writer.committed_offset = self.writer.next_offset = offset

    def replay(self, batches: Sequence[LoadedBatch], high_watermark: int) -> Iterator[None]:
        """Apply batches of the log, in order; yields where others may have a turn (CRT-14).

        Raises what `Machine.replay` raises: the load has failed.
        """
        number = 0
        for batch in batches:
            self.writer.loaded(batch.base_offset, batch.end_offset, high_watermark)
            for record, offset in batch.records:
                self.machine.replay(record, offset, batch.producer)
                number += 1
                if number % REPLAYED_AT_ONCE == 0:
                    yield
            if batch.ended is not None:
                self.machine.replay_end(batch.ended, is_commit=batch.is_commit)
        yield

    def activate(self) -> None:
        """Everything up to the log's end was replayed: take operations (CRT-14)."""
        assert self.phase is Phase.LOADING
        self.phase = Phase.ACTIVE
        self._loaded = self.writer.latest
        self._active_since_ms = self._loop.now_ms()
        self.machine.on_loaded()
        self.writer.await_loaded()

    def unload(self) -> None:
        """Refuse all who wait with NOT_COORDINATOR, and take nothing more (CRT-18)."""
        if self.phase is Phase.GONE:
            return
        was_active = self.phase is Phase.ACTIVE
        self.phase = Phase.GONE
        self.timers.close()
        self.writer.close(KafkaError(ErrorCode.NOT_COORDINATOR))
        if was_active:
            self.machine.on_unloaded()

    def _lose(self) -> None:
        if self.phase is not Phase.GONE:
            self.unload()
            self._on_lost()


class _AfterLoad(Generic[AnswerT]):
    """A `Reply` that passes answers on when what its shard has loaded is committed."""

    __slots__ = ("_reply", "_shard")

    def __init__(self, shard: Shard[Any], reply: Reply[AnswerT]) -> None:
        self._shard = shard
        self._reply = reply

    def give(self, answer: AnswerT) -> None:
        self._shard.when_caught_up(_Then(partial(self._reply.give, answer), self._reply.refuse))

    def refuse(self, error: KafkaError) -> None:
        self._reply.refuse(error)


class _Then:
    """A `Reply` to a wait."""

    __slots__ = ("_give_up", "_go_on")

    def __init__(
        self, go_on: Callable[[], object], give_up: Callable[[KafkaError], object]
    ) -> None:
        self._go_on = go_on
        self._give_up = give_up

    def give(self, answer: None) -> None:
        self._go_on()

    def refuse(self, error: KafkaError) -> None:
        self._give_up(error)


def _say_nothing(answer: object) -> None:
    """The state machine answers itself."""
