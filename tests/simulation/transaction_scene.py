"""Partitions whose batches are made up, and transactional programs that are only told of."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from barnabas.broker.core.replication.end_markers import EndMarker
from barnabas.client import TopicPartition
from barnabas.client.transactions.machine import Outcome
from barnabas.protocol.record_batch import iter_batch_headers, set_base_offset
from barnabas.protocol.record_builder import RecordBatchBuilder
from barnabas.testing.simulation.checks.replica_logs import ReplicaLogs
from barnabas.testing.simulation.checks.transactions.contract import TransactionContract
from barnabas.testing.simulation.checks.transactions.stable_offsets import StableOffsets
from barnabas.testing.simulation.hooks import HookBus
from barnabas.testing.simulation.work import Work
from barnabas.testing.simulation.workload.transactions.attempts import (
    SOURCE,
    TARGET,
    Attempt,
    Attempts,
    FoundOffsets,
    Owned,
)

HERE = TopicPartition(SOURCE, 0)
THERE = TopicPartition(SOURCE, 1)
COPIED = TopicPartition(TARGET, 0)


class Segment:
    """A file with all batches of a log."""

    def __init__(self) -> None:
        self.file = self
        self.data = b""

    @property
    def size(self) -> int:
        return len(self.data)

    def pread(self, size: int, position: int) -> bytes:
        return self.data[position : position + size]


class Scene:
    """One replica of each partition, which leads, and programs that are only told of."""

    def __init__(self, *, has_epochs: bool = False) -> None:
        self.loop = cast("Any", SimpleNamespace(now=0.0, violation=None, work=Work()))
        bus = HookBus(self.loop)
        self._bus = bus
        logs = ReplicaLogs(bus)
        self.committed = SimpleNamespace(unclean_elections=0, ghosts={})
        self.attempts = Attempts(lambda text: None)
        self.contract = TransactionContract(
            bus,
            logs,
            cast("Any", self.committed),
            self.attempts,
            has_epochs=has_epochs,
            clock_spread=0.0,
        )
        StableOffsets(bus, logs, self.contract.stored)
        self._logs: dict[TopicPartition, Any] = {}

    @property
    def rule(self) -> str:
        """Of the promise that was broken first; empty: none was."""
        return "" if self.loop.violation is None else str(self.loop.violation.rule)

    def later(self, seconds: float = 1.0) -> None:
        self.loop.now += seconds

    def attempt(self, client: str = "w", number: int = 1, *where: TopicPartition) -> Attempt:
        """A transaction with a record for each of these partitions."""
        one = self.attempts.begin(Attempt(client, 1, number, self.loop.now))
        for place in where:
            one.sent.append((place, one.value()))
        return one

    def commit(self, one: Attempt, outcome: Outcome = Outcome.COMMITTED) -> None:
        self.attempts.asks(one, self.loop.now)
        self.attempts.ends(one, outcome, self.loop.now)

    # --- logs -----------------------------------------------------------------------------------

    def _log(self, where: TopicPartition) -> Any:
        if where not in self._logs:
            self._logs[where] = SimpleNamespace(
                topic=where.topic,
                topic_id=where.topic.encode().ljust(16, b"."),
                partition=where.partition,
                name=str(where),
                segments=[Segment()],
                log_start_offset=0,
                log_end_offset=0,
                high_watermark=0,
                last_stable_offset=0,
                first_segment_offset=0,
                rules=SimpleNamespace(compact=False),
            )
            self._tell("log-opened", log=self._logs[where])
        return self._logs[where]

    def _tell(self, name: str, **fields: Any) -> None:
        self._bus.tell("node-1", 1, name, fields)

    def _append(self, where: TopicPartition, data: bytes, *, is_committed: bool = True) -> None:
        log = self._log(where)
        batch = bytearray(data)
        set_base_offset(batch, 0, log.log_end_offset, 0)
        log.log_end_offset += 1
        log.segments[0].data += batch
        self._tell("append", log=log, batches=bytes(batch))
        if is_committed:
            self.watermark(where)

    def open_again(self, where: TopicPartition) -> None:
        """The node comes up again with all that its log had."""
        log = self._log(where)
        log.high_watermark = 0
        self._tell("log-opened", log=log)

    def truncate(self, where: TopicPartition, offset: int) -> None:
        """The log ends at `offset` from now on; each batch of these logs has one offset."""
        log = self._log(where)
        segment = log.segments[0]
        begins = [position for position, _ in iter_batch_headers(segment.data)]
        segment.data = segment.data[: begins[offset]]
        log.log_end_offset = offset
        self._tell("truncate", log=log, offset=offset)

    def partition(self, where: TopicPartition) -> Any:
        log = self._log(where)
        return SimpleNamespace(
            topic=where.topic, topic_id=log.topic_id, index=where.partition, log=log
        )

    def watermark(
        self, where: TopicPartition, stable: int | None = None, *, at: int | None = None
    ) -> None:
        """What is before `at` is committed, without it all that is there.

        Without `stable` the replica counts as it should.
        """
        log = self._log(where)
        log.high_watermark = log.log_end_offset if at is None else at
        if stable is None:
            key = log.topic_id.hex(), where.partition
            model = self._expected(key, log)
            log.last_stable_offset = model
        else:
            log.last_stable_offset = stable
        self._tell(
            "hw",
            partition=self.partition(where),
            high_watermark=log.high_watermark,
            as_leader=True,
        )

    def _expected(self, key: tuple[str, int], log: Any) -> int:
        opened: dict[int, int] = {}
        for batch in self.contract._logs.logs["node-1", key].batches:
            found = self.contract.stored.of(key, batch)
            if found.is_marker:
                opened.pop(found.producer_id, None)
            else:
                opened.setdefault(found.producer_id, found.base)
        return min([int(log.high_watermark), *opened.values()])

    def write(
        self,
        one: Attempt,
        number: int = 0,
        *,
        producer: int = 7,
        epoch: int = 0,
        is_committed: bool = True,
    ) -> None:
        where, value = one.sent[number]
        builder = RecordBatchBuilder(
            producer_id=producer, producer_epoch=epoch, base_sequence=0, is_transactional=True
        )
        builder.append(0, None, value)
        self._append(where, builder.build(), is_committed=is_committed)

    def mark(
        self,
        where: TopicPartition,
        *,
        is_commit: bool = True,
        producer: int = 7,
        epoch: int = 0,
        coordinator: int = 3,
        is_committed: bool = True,
    ) -> None:
        marker = EndMarker(producer, epoch, coordinator, is_commit).batch(0)
        self._append(where, marker, is_committed=is_committed)

    # --- readers --------------------------------------------------------------------------------

    def hand_out(self, where: TopicPartition, end: int) -> None:
        """A reader of committed records is given all before `end`."""
        self._tell(
            "fetch-answered",
            partition=self.partition(where),
            replica_id=-1,
            fetch_offset=0,
            end_offset=end,
            read_committed=True,
        )

    def read(self, where: TopicPartition, *records: tuple[int, bytes], reader: str = "r") -> None:
        found = [SimpleNamespace(offset=offset, value=value) for offset, value in records]
        self.attempts.reads(reader, {where: cast("Any", found)}, self.loop.now, goes_on=True)

    def found(self, offset: int, *, asked_s: float | None = None, stable: bool = True) -> None:
        self.later()
        at_s = self.loop.now - 0.5 if asked_s is None else asked_s
        self.attempts.found(FoundOffsets({HERE: offset}, at_s, self.loop.now, True, stable))

    def owned(self, life: int, epoch: int, *, asked_s: float, producer: int = 7) -> None:
        self.attempts.owned(Owned("w", life, producer, epoch, asked_s), self.loop.now)


def committed(scene: Scene, number: int = 1, where: TopicPartition = HERE) -> Attempt:
    """A transaction of one record, with all that belongs to it."""
    one = scene.attempt("w", number, where)
    scene.write(one)
    scene.commit(one)
    scene.mark(where)
    return one
