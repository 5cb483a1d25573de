"""Each check of transactions on a history that breaks its promise, and on one that does not."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from barnabas.broker.core.replication.end_markers import EndMarker
from barnabas.client import TopicPartition
from barnabas.client.transactions.machine import Outcome
from barnabas.protocol.record_batch import set_base_offset
from barnabas.protocol.record_builder import RecordBatchBuilder
from barnabas.testing.simulation.checks.replica_logs import ReplicaLogs
from barnabas.testing.simulation.checks.transactions.contract import TransactionContract
from barnabas.testing.simulation.checks.transactions.history import operations_of
from barnabas.testing.simulation.checks.transactions.stable_offsets import StableOffsets
from barnabas.testing.simulation.hooks import HookBus
from barnabas.testing.simulation.workload.transactions.attempts import (
    SOURCE,
    TARGET,
    Attempt,
    Attempts,
    FoundOffsets,
    Owned,
    Stable,
)

HERE = TopicPartition(SOURCE, 0)
THERE = TopicPartition(SOURCE, 1)
COPIED = TopicPartition(TARGET, 0)


class Scene:
    """One replica of each partition, which leads, and programs that are only told of."""

    def __init__(self, *, has_epochs: bool = False) -> None:
        self.loop: Any = SimpleNamespace(now=0.0, violation=None)
        bus = HookBus(self.loop)
        self._bus = bus
        logs = ReplicaLogs(bus)
        self.committed = SimpleNamespace(unclean_elections=0)
        self.attempts = Attempts(lambda text: None)
        self.contract = TransactionContract(
            bus,
            logs,
            cast("Any", self.committed),
            self.attempts,
            has_epochs=has_epochs,
            has_one_time=True,
        )
        StableOffsets(bus, logs, self.contract.stored)
        self._logs: dict[TopicPartition, Any] = {}
        self.stable: int | None = None
        """What a replica says, where it is wrong."""

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
                segments=[],
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
        self._tell("append", log=log, batches=bytes(batch))
        if is_committed:
            self.watermark(where)

    def partition(self, where: TopicPartition) -> Any:
        log = self._log(where)
        return SimpleNamespace(
            topic=where.topic, topic_id=log.topic_id, index=where.partition, log=log
        )

    def watermark(self, where: TopicPartition, stable: int | None = None) -> None:
        """All that is there is committed; without `stable` the replica counts as it should."""
        log = self._log(where)
        log.high_watermark = log.log_end_offset
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
        return min([log.high_watermark, *opened.values()])

    def write(self, one: Attempt, number: int = 0, *, producer: int = 7, epoch: int = 0) -> None:
        where, value = one.sent[number]
        builder = RecordBatchBuilder(
            producer_id=producer, producer_epoch=epoch, base_sequence=0, is_transactional=True
        )
        builder.append(0, None, value)
        self._append(where, builder.build())

    def mark(
        self,
        where: TopicPartition,
        *,
        is_commit: bool = True,
        producer: int = 7,
        epoch: int = 0,
        coordinator: int = 3,
    ) -> None:
        self._append(where, EndMarker(producer, epoch, coordinator, is_commit).batch(0))

    # --- readers --------------------------------------------------------------------------------

    def read(self, where: TopicPartition, *records: tuple[int, bytes], reader: str = "r") -> None:
        found = [SimpleNamespace(offset=offset, value=value) for offset, value in records]
        self.attempts.reads(reader, {where: cast("Any", found)}, self.loop.now, goes_on=True)

    def found(self, offset: int, *, asked_s: float | None = None, stable: bool = True) -> None:
        self.later()
        at_s = self.loop.now - 0.5 if asked_s is None else asked_s
        self.attempts.found(FoundOffsets({HERE: offset}, at_s, self.loop.now, True, stable))

    def owned(self, life: int, epoch: int, *, asked_s: float, producer: int = 7) -> None:
        self.attempts.owned(Owned("w", life, producer, epoch, asked_s))


@pytest.fixture
def scene() -> Scene:
    return Scene()


def committed(scene: Scene, number: int = 1, where: TopicPartition = HERE) -> Attempt:
    """A transaction of one record, with all that belongs to it."""
    one = scene.attempt("w", number, where)
    scene.write(one)
    scene.commit(one)
    scene.mark(where)
    return one


# --- I-23: readers ---------------------------------------------


def test_i23_what_is_committed_is_read(scene: Scene) -> None:
    """I-23: all of it, once, in its order."""
    first, second = committed(scene, 1), committed(scene, 2)
    scene.read(HERE, (0, first.sent[0][1]), (2, second.sent[0][1]))
    assert scene.rule == ""
    assert scene.contract.not_read("r") == []
    assert scene.contract.not_read("another") == [f"{HERE}@0", f"{HERE}@2"]


def test_i23_an_aborted_record_is_read(scene: Scene) -> None:
    """I-23: nothing aborted is read."""
    one = scene.attempt("w", 1, HERE)
    scene.write(one)
    scene.attempts.ends(one, Outcome.ABORTED, 0.0)
    scene.mark(HERE, is_commit=False)
    scene.read(HERE, (0, one.sent[0][1]))
    assert scene.rule == "I-23"


def test_i23_a_record_is_read_before_its_marker(scene: Scene) -> None:
    """I-23: nothing of an open transaction is read."""
    one = scene.attempt("w", 1, HERE)
    scene.write(one)
    scene.read(HERE, (0, one.sent[0][1]))
    assert scene.rule == "I-23"


def test_i23_a_committed_record_is_left_out(scene: Scene) -> None:
    """I-23: what lies between two records that were read."""
    committed(scene, 1)
    second = committed(scene, 2)
    scene.read(HERE, (2, second.sent[0][1]))
    assert scene.rule == "I-23"


def test_i23_a_record_is_read_twice(scene: Scene) -> None:
    """I-23: a reader does not go back by itself."""
    one = committed(scene)
    scene.read(HERE, (0, one.sent[0][1]))
    scene.read(HERE, (0, one.sent[0][1]))
    assert scene.rule == "I-23"


# --- I-33: the last stable offset ---------------------------------------------


def test_i33_the_last_stable_offset_passes_an_open_transaction(scene: Scene) -> None:
    """I-33: by a watermark, and by an answer to a reader."""
    one = scene.attempt("w", 1, HERE)
    scene.write(one)
    assert scene.rule == ""
    scene._tell(
        "fetch-answered",
        partition=scene.partition(HERE),
        replica_id=-1,
        fetch_offset=0,
        end_offset=1,
        read_committed=True,
    )
    assert scene.rule == "I-33"


def test_i33_a_replica_counts_wrongly(scene: Scene) -> None:
    """I-33: too far, or not far enough."""
    one = scene.attempt("w", 1, HERE)
    scene.write(one)
    scene.watermark(HERE, stable=1)
    assert scene.rule == "I-33"


def test_i33_the_end_goes_back(scene: Scene) -> None:
    """I-33: who asks after an answer came is told no less; who asked before may be."""
    scene.attempts.stable(Stable(HERE, 5, 0.0, 1.0))
    scene.attempts.stable(Stable(HERE, 4, 0.5, 1.5))
    assert scene.rule == ""
    scene.attempts.stable(Stable(HERE, 4, 2.0, 3.0))
    assert scene.rule == "I-33"


# --- I-34: one end ---------------------------------------------


def test_i34_one_end_for_all_partitions(scene: Scene) -> None:
    """I-34: markers of one transaction all say the same (TXN-55)."""
    one = scene.attempt("w", 1, HERE, THERE)
    scene.write(one)
    scene.write(one, 1)
    scene.commit(one, Outcome.UNKNOWN)
    scene.mark(HERE)
    assert scene.rule == ""
    scene.mark(THERE, is_commit=False)
    assert scene.rule == "I-34"


def test_i34_what_was_acknowledged_is_aborted(scene: Scene) -> None:
    """I-34: a commit that was acknowledged is never lost."""
    one = scene.attempt("w", 1, HERE)
    scene.write(one)
    scene.commit(one)
    scene.mark(HERE, is_commit=False)
    assert scene.rule == "I-34"


def test_i34_committed_without_being_asked(scene: Scene) -> None:
    """I-34: nobody commits for a producer."""
    one = scene.attempt("w", 1, HERE)
    scene.write(one)
    scene.mark(HERE)
    assert scene.rule == "I-34"


def test_i34_aborted_without_being_asked(scene: Scene) -> None:
    """I-34: nor does anybody abort for it, before its time is up."""
    one = scene.attempt("w", 1, HERE)
    scene.write(one)
    scene.later(0.1)
    scene.mark(HERE, is_commit=False)
    assert scene.rule == "I-34"


@pytest.mark.parametrize("is_claimed", [False, True])
def test_i34_aborted_for_a_reason(scene: Scene, is_claimed: bool) -> None:
    """I-34: its time is up, or somebody else has asked for the transactional id."""
    one = scene.attempt("w", 1, HERE)
    scene.write(one)
    scene.later(0.1 if is_claimed else 5.0)
    if is_claimed:
        scene.attempts.claims("w", scene.loop.now)
    scene.mark(HERE, is_commit=False)
    assert scene.rule == ""


def test_i34_two_transactions_without_a_marker_between(scene: Scene) -> None:
    """I-34: what was ended for its producer has a marker before the next one begins."""
    for number in (1, 2):
        one = scene.attempt("w", number, HERE)
        scene.write(one)
        scene.commit(one)
    assert scene.rule == "I-34"


@pytest.mark.parametrize(("epoch", "coordinator"), [(1, 2), (0, 3)])
def test_i34_a_marker_of_the_past(scene: Scene, epoch: int, coordinator: int) -> None:
    """I-34: of an earlier coordinator, or of an earlier epoch."""
    one = scene.attempt("w", 1, HERE)
    scene.write(one, epoch=1)
    scene.commit(one)
    scene.mark(HERE, epoch=1)
    assert scene.rule == ""
    scene.mark(HERE, epoch=epoch, coordinator=coordinator)
    assert scene.rule == "I-34"


def test_i34_an_end_without_another_epoch() -> None:
    """I-34: where each transaction has its epoch, the marker brings the next one (KIP-890)."""
    scene = Scene(has_epochs=True)
    one = scene.attempt("w", 1, HERE)
    scene.write(one)
    scene.commit(one)
    scene.mark(HERE, epoch=0)
    assert scene.rule == "I-34"


def test_i34_a_record_of_what_is_committed_is_missing(scene: Scene) -> None:
    """I-34: in the end all records are there, in the order of their sending."""
    committed(scene, 1).sent.append((HERE, b"w/1/1|1|"))
    scene.contract.still_open()
    with pytest.raises(AssertionError, match="I-34"):
        scene.contract.check_whole()


def test_i34_markers_name_the_coordinator(scene: Scene) -> None:
    """I-34: by the leader epoch of its partition (TXN-35)."""
    one = committed(scene)
    scene.contract.check_coordinator(one.name, 3)
    with pytest.raises(AssertionError, match="I-34"):
        scene.contract.check_coordinator(one.name, 4)


# --- I-35, I-22: fences ---------------------------------------------


def test_i35_a_fenced_producer_goes_on(scene: Scene) -> None:
    """I-35: nothing of it is committed that was not before."""
    scene.owned(1, 0, asked_s=0.0)
    scene.later()
    scene.owned(2, 1, asked_s=0.5)
    assert scene.rule == ""
    one = scene.attempt("w", 1, HERE)
    scene.write(one, epoch=0)
    assert scene.rule == "I-35"


def test_i35_an_earlier_transaction_is_open(scene: Scene) -> None:
    """I-35: who gets the id finds nothing open of the one before."""
    one = scene.attempt("w", 1, HERE)
    scene.write(one)
    scene.owned(2, 1, asked_s=0.5)
    assert scene.rule == "I-35"


def test_i35_more_of_a_transaction_that_has_ended(scene: Scene) -> None:
    """I-35: its records end with its marker."""
    one = committed(scene)
    scene.write(one)
    assert scene.rule == "I-35"


def test_i22_an_epoch_is_given_twice(scene: Scene) -> None:
    """I-22: who asks later has a later epoch, or another producer id."""
    scene.owned(1, 4, asked_s=0.0)
    scene.later()
    scene.owned(2, 0, asked_s=2.0, producer=8)
    assert scene.rule == ""
    scene.owned(3, 4, asked_s=2.0)
    assert scene.rule == "I-22"


# --- I-36: the group ---------------------------------------------


def copy_of(scene: Scene, number: int, offset: int) -> Attempt:
    """A committed transaction of the group that copies one record."""
    one = scene.attempt("c", number)
    one.sent.append((COPIED, one.value(f"0@{offset}")))
    one.offsets = {HERE: offset + 1}
    scene.write(one, producer=9)
    scene.commit(one)
    scene.mark(COPIED, producer=9)
    return one


def test_i36_each_record_has_one_copy(scene: Scene) -> None:
    """I-36: in the end each has one, and none has two."""
    committed(scene)
    assert scene.contract.not_copied() == [f"{HERE}@0"]
    copy_of(scene, 1, 0)
    assert scene.rule == ""
    assert scene.contract.not_copied() == []
    copy_of(scene, 2, 0)
    assert scene.rule == "I-36"


def test_i36_a_copy_of_what_is_not_committed(scene: Scene) -> None:
    """I-36: the group reads committed records."""
    copy_of(scene, 1, 0)
    assert scene.rule == "I-36"


def test_i36_offsets_before_the_commit(scene: Scene) -> None:
    """I-36: nobody sees them before the transaction is to be committed."""
    one = scene.attempt("c", 1)
    one.offsets = {HERE: 1}
    scene.found(1, stable=False)
    assert scene.rule == "I-36"


def test_i36_offsets_of_what_is_aborted(scene: Scene) -> None:
    """I-36: nor afterwards, if it is not committed."""
    one = scene.attempt("c", 1)
    one.offsets = {HERE: 1}
    scene.attempts.asks(one, 0.0)
    scene.attempts.ends(one, Outcome.ABORTED, 0.0)
    scene.found(1)
    assert scene.rule == "I-36"


def test_i36_offsets_go_back(scene: Scene) -> None:
    """I-36: what was told, and what was acknowledged, stays."""
    committed(scene, 1)
    committed(scene, 2)
    copy_of(scene, 1, 0)
    copy_of(scene, 2, 2)
    scene.found(3)
    assert scene.rule == ""
    scene.found(1)
    assert scene.rule == "I-36"


def test_i34_found_offsets_are_a_promise(scene: Scene) -> None:
    """I-34: what the group was told to have committed is aborted by nobody."""
    one = scene.attempt("c", 1)
    one.sent.append((COPIED, one.value("0@0")))
    one.offsets = {HERE: 1}
    scene.write(one, producer=9)
    scene.commit(one, Outcome.UNKNOWN)
    scene.found(1)
    assert scene.rule == ""
    scene.mark(COPIED, producer=9, is_commit=False)
    assert scene.rule == "I-34"


# --- I-37, and what switches all of it off ---------------------------------------------


def test_i37_the_history_is_looked_through(scene: Scene) -> None:
    """I-37: what the checker of histories knows is found here too."""
    one = committed(scene)
    scene.read(HERE, (0, one.sent[0][1]))
    scene.contract.check_whole()
    names = [operation.name for operation in operations_of(scene.attempts)]
    assert names == ["w/1/1", "r#0"]
    committed(scene, 2)
    with pytest.raises(AssertionError, match=r"I-37: unseen"):
        scene.contract.check_whole()


def test_l9_open_transactions_are_named(scene: Scene) -> None:
    """L-9: by the partition in which they have no marker."""
    one = scene.attempt("w", 1, HERE)
    scene.write(one)
    assert scene.contract.still_open() == [f"{one.name} in {HERE}"]


def test_after_an_unclean_election_nothing_is_promised(scene: Scene) -> None:
    """Goal: an election that may lose records, which was allowed, ends all of it."""
    scene.committed.unclean_elections = 1
    one = scene.attempt("w", 1, HERE)
    scene.read(HERE, (0, one.value()))
    assert scene.rule == ""
    assert scene.contract.still_open() == []
