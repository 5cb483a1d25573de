"""A shard: batches, answers after commits, what is taken back, load and unload."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from kit.shard_parts import MemoryLog, Parts, record
from kit.shards import Kept

from barnabas.broker.core.coordination.machine import Outcome, Producer
from barnabas.broker.core.coordination.shard import Phase
from barnabas.broker.core.coordination.shard_writer import ShardRules
from barnabas.broker.core.replication.end_markers import EndMarker
from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.record_batch import read_batch_header

TOO_FEW = KafkaError(ErrorCode.NOT_ENOUGH_REPLICAS)


def code_of(reply: Kept[str] | Kept[None]) -> ErrorCode | None:
    return None if reply.error is None else reply.error.code


def test_state_is_changed_at_once_and_the_answer_waits() -> None:
    """Records apply before they are written; the answer comes with the watermark (CRT-06)."""
    parts = Parts().load()
    reply = parts.write(Outcome("done", [record("a", 1)]))
    assert parts.state == {"a": 1}
    assert parts.committed == {}
    parts.loop.run()
    assert not reply.is_given
    parts.log.commit()
    assert reply.answer == "done"
    assert parts.committed == {"a": 1}


def test_queued_work_shares_one_append() -> None:
    """With a linger of -1 what is queued joins one batch; 0 writes each at once (CRT-10)."""
    parts = Parts().load()
    for number in range(5):
        parts.write(Outcome("", [record("a", number)]))
    parts.loop.run()
    assert len(parts.log.batches) == 1
    parts = Parts(rules=ShardRules(linger_ms=0)).load()
    for number in range(5):
        parts.write(Outcome("", [record("a", number)]))
    assert len(parts.log.batches) == 5
    parts = Parts(rules=ShardRules(linger_ms=20)).load()
    parts.write(Outcome("", [record("a", 1)]))
    parts.loop.run(19)
    assert not parts.log.batches
    parts.loop.run(1)
    assert len(parts.log.batches) == 1


def test_a_failed_append_is_taken_back_with_all_of_its_operations() -> None:
    """The state before the batch is restored; all get the mapped error (CRT-05, CRT-07)."""
    parts = Parts().load()
    told: list[ErrorCode] = []
    kept = parts.write(Outcome("first", [record("a", 1)]))
    parts.loop.run()
    parts.log.refusal = TOO_FEW
    lost = parts.write(Outcome("", [record("a", 2)], on_appended=told.append))
    also = parts.write(Outcome("", [record("b", 3)]))
    empty = parts.write(Outcome("nothing"))
    parts.loop.run()
    assert parts.state == {"a": 1}
    assert [code_of(one) for one in (lost, also, empty)] == [
        ErrorCode.COORDINATOR_NOT_AVAILABLE
    ] * 3
    assert told == [ErrorCode.COORDINATOR_NOT_AVAILABLE]
    parts.log.refusal = None
    parts.write(Outcome("", [record("c", 4)]))
    parts.loop.run()
    parts.log.commit()
    assert kept.answer == "first"
    assert parts.committed == {"a": 1, "c": 4}


@pytest.mark.parametrize(
    ("cause", "told"),
    [(3, 15), (19, 15), (20, 15), (7, 15), (6, 16), (56, 16), (10, -1), (18, -1), (45, 45)],
)
def test_errors_of_appends_are_mapped(cause: int, told: int) -> None:
    """What a client is told for each reason why the log refused (CRT-05)."""
    parts = Parts().load()
    parts.log.refusal = KafkaError(ErrorCode(cause))
    reply = parts.write(Outcome("", [record("a", 1)]))
    parts.loop.run()
    assert code_of(reply) == ErrorCode(told)


def test_an_operation_without_records_waits_for_earlier_ones() -> None:
    """It is answered at once only if nothing before it is open (CRT-09)."""
    parts = Parts().load()
    assert parts.write(Outcome("now")).answer == "now"
    parts.write(Outcome("", [record("a", 1)]))
    later = parts.write(Outcome("later"))
    parts.loop.run()
    after = parts.write(Outcome("after"))
    assert not later.is_given
    assert not after.is_given
    parts.log.commit()
    assert (later.answer, after.answer) == ("later", "after")


def test_a_timeout_is_no_rollback() -> None:
    """After `offsets.commit.timeout.ms` the client gets 15; the records may commit (CRT-08)."""
    parts = Parts(rules=ShardRules(timeout_ms=5000)).load()
    told: list[ErrorCode] = []
    reply = parts.write(Outcome("", [record("a", 1)], on_appended=told.append))
    parts.loop.run(5000)
    assert code_of(reply) is ErrorCode.COORDINATOR_NOT_AVAILABLE
    assert parts.state == {"a": 1}
    assert not told
    parts.log.commit()
    assert told == [ErrorCode.NONE]
    assert parts.committed == {"a": 1}


def test_too_few_replicas_for_a_while_lose_nothing() -> None:
    """A batch above the watermark waits for replicas to come back; the shard goes on (CRT-08)."""
    parts = Parts().load()
    reply = parts.write(Outcome("done", [record("a", 1)]))
    parts.loop.run()
    parts.log.give_up(ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND)
    assert not reply.is_given
    assert parts.shard.phase is Phase.ACTIVE
    parts.log.commit()
    assert reply.answer == "done"
    assert parts.committed == {"a": 1}


def test_transactional_records_have_their_own_batch() -> None:
    """What is open is written before, and they are written at once (CRT-10)."""
    parts = Parts().load()
    parts.write(Outcome("", [record("a", 1)]))
    parts.write(Outcome("", [record("b", 2)], producer=Producer(7, 3)))
    parts.write(Outcome("", [record("c", 3)]))
    parts.loop.run()
    headers = [read_batch_header(batch) for batch in parts.log.batches]
    assert [one.producer_id for one in headers] == [-1, 7, -1]
    assert [one.is_transactional for one in headers] == [False, True, False]
    assert headers[1].producer_epoch == 3


def test_operations_may_span_batches_unless_they_are_atomic() -> None:
    """Many records go into several batches; an atomic operation fails as a whole (CRT-11)."""
    parts = Parts()
    parts.log.max_batch_bytes = 1000
    parts.load()
    many = [record(str(number), number) for number in range(50)]
    spread = parts.write(Outcome("all", many))
    parts.loop.run()
    assert len(parts.log.batches) > 1
    parts.log.commit()
    assert spread.answer == "all"
    atomic = parts.write(Outcome("", many, is_atomic=True))
    assert code_of(atomic) is ErrorCode.UNKNOWN_SERVER_ERROR
    large = parts.write(Outcome("", [record("x", 1), record("y", 1, "m" * 2000)]))
    assert code_of(large) is ErrorCode.UNKNOWN_SERVER_ERROR
    assert "x" not in parts.state
    assert len(parts.reports) == 2


def test_an_atomic_operation_does_not_share_the_rest_of_a_batch_that_is_too_small() -> None:
    """The open batch is written first, so that the operation fits into one (CRT-11)."""
    parts = Parts()
    parts.log.max_batch_bytes = 600
    parts.load()
    parts.write(Outcome("", [record(str(number), number) for number in range(5)]))
    parts.write(Outcome("", [record(str(number), 9) for number in range(5)], is_atomic=True))
    parts.loop.run()
    assert [read_batch_header(one).record_count for one in parts.log.batches] == [5, 5]


def test_another_offset_than_expected_loses_the_shard() -> None:
    """State and log are no longer the same: 16, and it is loaded anew (CRT-12)."""
    parts = Parts().load()
    parts.log.end_offset = 5
    reply = parts.write(Outcome("", [record("a", 1)]))
    parts.loop.run()
    assert code_of(reply) is ErrorCode.NOT_COORDINATOR
    assert parts.lost == 1
    assert parts.shard.phase is Phase.GONE


def test_unloading_refuses_who_waits() -> None:
    """Written and open batches alike: 16, once each, and timers go (CRT-18)."""
    parts = Parts().load()
    told: list[ErrorCode] = []
    written = parts.write(Outcome("", [record("a", 1)], on_appended=told.append))
    parts.loop.run()
    still_open = parts.write(Outcome("", [record("b", 1)]))
    parked: Kept[str] = Kept()
    parts.shard.park(lambda: Outcome(None, [record("c", 1)]), parked)
    parts.shard.timers.schedule("late", 10, lambda: Outcome(None, [record("d", 1)]))
    parts.shard.unload()
    parts.shard.unload()
    assert {code_of(one) for one in (written, still_open, parked)} == {ErrorCode.NOT_COORDINATOR}
    assert told == [ErrorCode.NOT_COORDINATOR]
    assert parts.shard.machine.events == ["loaded", "unloaded"]
    parts.log.commit()
    parts.loop.run(10_000)
    assert len(parts.log.batches) == 1
    assert code_of(parts.write(Outcome("x"))) is ErrorCode.NOT_COORDINATOR


def test_a_leader_that_was_replaced_loses_its_shard() -> None:
    """The wait for the watermark ends with an error: 16 to all (CRT-13)."""
    parts = Parts().load()
    reply = parts.write(Outcome("", [record("a", 1)]))
    parts.loop.run()
    parts.log.give_up(ErrorCode.NOT_LEADER_OR_FOLLOWER)
    assert code_of(reply) is ErrorCode.NOT_COORDINATOR
    assert parts.lost == 1


def test_a_shard_is_loaded_to_the_end_and_committed_to_the_watermark() -> None:
    """It is active before the watermark has reached the end (CRT-14); 14 before (CRT-04)."""
    earlier = Parts().load()
    earlier.write(Outcome("", [record("a", 1)]))
    earlier.loop.run()
    earlier.log.commit()
    earlier.write(Outcome("", [record("a", 2)]))
    earlier.loop.run()
    log = MemoryLog()
    for batch in earlier.log.batches:
        log.append(batch)
    log.high_watermark = 1
    parts = Parts(log)
    assert code_of(parts.write(Outcome(""))) is ErrorCode.COORDINATOR_LOAD_IN_PROGRESS
    with pytest.raises(KafkaError):
        _ = parts.committed
    parts.load()
    assert parts.state == {"a": 2}
    assert parts.committed == {"a": 1}
    waits = parts.write(Outcome("after the rest"))
    assert not waits.is_given
    log.commit()
    assert parts.committed == {"a": 2}
    assert waits.is_given


def test_a_watermark_inside_of_a_batch_commits_none_of_it() -> None:
    """Reads see whole batches only (CRT-09)."""
    parts = Parts().load()
    reply = parts.write(Outcome("", [record("a", 1), record("b", 1)]))
    parts.loop.run()
    parts.log.commit(1)
    assert parts.committed == {}
    assert not reply.is_given
    again = Parts(parts.log).load()
    assert again.committed == {}
    assert again.state == {"a": 1, "b": 1}


def test_bugs_are_answered_and_change_nothing() -> None:
    """An exception in an operation or a replay is -1 to its client, and is reported."""
    parts = Parts().load()

    def fails() -> Outcome[str]:
        raise ValueError("no")

    reply: Kept[str] = Kept()
    parts.shard.write(fails, reply)
    assert code_of(reply) is ErrorCode.UNKNOWN_SERVER_ERROR
    whole = parts.write(Outcome("", [record("a", 1), record("b", 1, "broken")]))
    assert code_of(whole) is ErrorCode.UNKNOWN_SERVER_ERROR
    assert parts.state == {}
    assert len(parts.reports) == 2
    parts.loop.run()
    assert not parts.log.batches


def test_records_that_are_not_replayed_move_the_state_when_they_are_committed() -> None:
    """`on_appended` applies them (CRT-19)."""
    parts = Parts().load()
    told: list[ErrorCode] = []
    parts.write(Outcome("", [record("a", 1)], is_replayed=False, on_appended=told.append))
    parts.loop.run()
    assert parts.state == {}
    parts.log.commit()
    assert told == [ErrorCode.NONE]


def test_timers_write_and_try_again() -> None:
    """An operation of a timer that fails is tried again after 500 ms (CRT-17)."""
    parts = Parts().load()
    parts.log.refusal = TOO_FEW
    parts.shard.timers.schedule("one", 100, lambda: Outcome(None, [record("a", 1)]))
    parts.shard.timers.schedule("two", 100, lambda: Outcome(None, [record("b", 1)]))
    parts.shard.timers.cancel("two")
    parts.loop.run(100)
    assert parts.state == {}
    parts.log.refusal = None
    parts.loop.run(499)
    assert parts.state == {}
    parts.loop.run(1)
    assert parts.state == {"a": 1}
    assert len(parts.shard.timers) == 0


def test_a_timer_that_is_put_off_again_and_again() -> None:
    """It goes off when it was last set for, and costs the loop one callback at a time (CRT-17)."""
    parts = Parts().load()
    timers, told = parts.shard.timers, []

    def tell(word: str) -> Callable[[], Outcome[None]]:
        def operation() -> Outcome[None]:
            told.append((word, parts.clock.monotonic_ms()))
            return Outcome(None)

        return operation

    began = parts.clock.monotonic_ms()
    before = parts.loop.waiting
    for number in range(50):
        timers.schedule("put off", 100, tell(f"last {number}"))
        assert parts.loop.waiting <= before + 1
        parts.loop.run(10)
    assert not told
    assert timers.is_set("put off")
    parts.loop.run(100)
    assert told == [("last 49", began + 590)]
    assert not timers.is_set("put off")
    told.clear()
    timers.schedule("sooner", 100, tell("late"))
    timers.schedule("sooner", 30, tell("soon"))
    timers.schedule("sooner", 60, tell("in between"))
    timers.schedule("cancelled", 30, tell("never"))
    timers.schedule("cancelled", 60, tell("never"))
    timers.cancel("cancelled")
    parts.loop.run(200)
    assert told == [("in between", began + 660)]


def test_the_end_of_a_transaction_is_written_and_applied_in_one_step() -> None:
    """What was decided before is written before; the answer waits for the watermark (CRT-20)."""
    parts = Parts().load()
    earlier = parts.write(Outcome("", [record("a", 1)]))
    reply: Kept[None] = Kept()
    marker = EndMarker(7, 2, 0, is_commit=True)
    parts.shard.end_transaction(marker, reply)
    assert "end 7 True" in parts.shard.machine.events
    assert len(parts.log.batches) == 2
    assert read_batch_header(parts.log.batches[1], 0).is_control
    parts.log.commit(1)
    assert earlier.is_given
    parts.log.commit()
    assert reply.error is None
    assert parts.shard.committed_offset == 2
    later = parts.write(Outcome("", [record("a", 2)]))
    parts.loop.run()
    parts.log.commit()
    assert later.is_given
    loaded = Parts(parts.log).load()
    assert "end 7 True" in loaded.shard.machine.events
    assert loaded.state == {"a": 2}


def test_a_marker_that_is_refused_changes_nothing() -> None:
    """Its sender gets the error of the append itself (TXN-33)."""
    parts = Parts().load()
    parts.log.refusal = KafkaError(ErrorCode.NOT_ENOUGH_REPLICAS)
    reply: Kept[None] = Kept()
    parts.shard.end_transaction(EndMarker(7, 2, 0, is_commit=True), reply)
    assert code_of(reply) is ErrorCode.NOT_ENOUGH_REPLICAS
    assert parts.shard.machine.events == ["loaded"]
    parts.shard.unload()
    late: Kept[None] = Kept()
    parts.shard.end_transaction(EndMarker(7, 2, 0, is_commit=True), late)
    assert code_of(late) is ErrorCode.NOT_COORDINATOR
