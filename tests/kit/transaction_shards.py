"""One shard of the transaction coordinator over no log, with markers and producer ids at hand."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.core.coordination.machine import Operation, Outcome, Producer, Record
from barnabas.broker.core.coordination.timeline import Timeline
from barnabas.broker.core.coordination.transactions.adding import add_partitions
from barnabas.broker.core.coordination.transactions.ending import complete, end_transaction
from barnabas.broker.core.coordination.transactions.initialising import Given, initialise
from barnabas.broker.core.coordination.transactions.stored import record_of, transaction_of
from barnabas.broker.core.coordination.transactions.surroundings import (
    Ending,
    TransactionSurroundings,
)
from barnabas.broker.core.coordination.transactions.transaction import Transaction
from barnabas.broker.core.coordination.transactions.transaction_machine import TransactionMachine
from barnabas.protocol.errors import ErrorCode, KafkaError

from .logs import ManualClock, env_of
from .shards import AnswerT, OneShard

ID = "t"
ONE = frozenset({("topic", 0)})
TWO = frozenset({("topic", 0), ("topic", 1)})
BEFORE, BUMPS = 0, 2
"""Versions of transactions that clients stand for."""


class KeptMarkers:
    """`Markers` that are written when the test says so: the latest of each id."""

    def __init__(self) -> None:
        self.under_way: dict[str, Ending] = {}
        self.sent: list[Ending] = []

    def send(self, ending: Ending) -> None:
        self.under_way[ending.transactional_id] = ending
        self.sent.append(ending)

    def drop_all(self) -> None:
        self.under_way.clear()


class CountedIds:
    """`ProducerIdSource` that counts from 1000, as long as there are some `left`."""

    def __init__(self) -> None:
        self.next = 1000
        self.left = 1_000_000

    def take_now(self) -> int:
        if self.left == 0:
            raise KafkaError(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS)
        self.left -= 1
        self.next += 1
        return self.next - 1


class TransactionShard:
    """The machine, and what it stands on."""

    def __init__(
        self,
        ids: CountedIds | None = None,
        clock: ManualClock | None = None,
        log: list[Record] | None = None,
        coordinator_epoch: int = 0,
        level: int = 2,
    ) -> None:
        """`log`: what was written before, as a load finds it."""
        self.clock = clock or ManualClock()
        self.ids = ids or CountedIds()
        self.markers = KeptMarkers()
        self.level = level
        self.reports: list[str] = []
        timeline = Timeline()
        self.shard = OneShard(timeline, self.clock)
        around = TransactionSurroundings(
            env=env_of(clock=self.clock),
            config=BrokerConfig(),
            timeline=timeline,
            timers=self.shard.timers,
            markers=self.markers,
            producer_ids=self.ids,
            feature_level=lambda: self.level,
            coordinator_epoch=coordinator_epoch,
            report=lambda event, fields: self.reports.append(event),
        )
        self.machine = TransactionMachine(around)
        self.transactions = self.machine.transactions
        self.shard.run(self.machine)
        for offset, record in enumerate(log or ()):
            # What a log keeps, and no more.
            self.machine.replay(Record(record.key, record.value, record.version), offset, None)
            self.shard.log.append(record)
        self.shard.committed = len(self.shard.log)
        self.machine.on_loaded()
        self.shard.timers.advance(0)

    # --- requests -----------------------------------------------------------------------------

    def write(self, operation: Operation[AnswerT]) -> AnswerT:
        return self.shard.write(operation)

    def init(self, expected: Producer | None = None, timeout_ms: int = 60_000) -> Given:
        return self.write(lambda: initialise(self.transactions, ID, timeout_ms, expected))

    def add(
        self,
        producer: Producer,
        partitions: frozenset[tuple[str, int]] = ONE,
        version: int = BUMPS,
    ) -> None:
        self.write(lambda: add_partitions(self.transactions, ID, producer, partitions, version))

    def end(self, producer: Producer, *, is_commit: bool, version: int = BUMPS) -> Producer:
        return self.write(
            lambda: end_transaction(
                self.transactions, ID, producer, is_commit=is_commit, client_version=version
            )
        )

    def complete(self) -> None:
        """The markers that are under way are written."""
        for ending in list(self.markers.under_way.values()):
            del self.markers.under_way[ending.transactional_id]
            self.write(partial(complete, self.transactions, ending))

    # --- state --------------------------------------------------------------------------------

    @property
    def now(self) -> Transaction:
        """What is known of the id."""
        found = self.transactions.by_id.get(ID)
        assert found is not None
        return found

    def put(self, transaction: Transaction) -> None:
        """Have the id in this state, as if a load had found it; what was told is forgotten."""
        record = record_of(ID, transaction, 2)
        self.write(lambda: Outcome(None, (record,)))
        self.markers.under_way.clear()
        self.markers.sent.clear()

    def change(self, **fields: object) -> None:
        """Put it with other fields."""
        self.put(replace(self.now, **fields))  # type: ignore[arg-type]  # names of its fields

    @property
    def stored(self) -> Transaction:
        """What the last record says to those who load it."""
        last = self.shard.log[-1]
        return transaction_of(Record(last.key, last.value, last.version))


def code_of(call: object) -> ErrorCode:
    """The error that a call without arguments raises; NONE if it does not."""
    assert callable(call)
    try:
        call()
    except KafkaError as error:
        return error.code
    return ErrorCode.NONE
