"""How long the sender of a marker into a coordinator's partition waits for its answer."""

from __future__ import annotations

from kit.shard_parts import Parts

from barnabas.broker.core.coordination.shard_writer import ShardRules
from barnabas.broker.core.replication.end_markers import EndMarker
from barnabas.protocol.errors import ErrorCode, KafkaError

MARKER = EndMarker(7, 2, 0, is_commit=True)


class Answers:
    """A `Reply` that keeps all that it is told; 0 is that the marker is committed."""

    def __init__(self) -> None:
        self.told: list[ErrorCode] = []

    def give(self, answer: None) -> None:
        self.told.append(ErrorCode.NONE)

    def refuse(self, error: KafkaError) -> None:
        self.told.append(error.code)


def test_a_marker_that_does_not_commit_is_answered_in_time() -> None:
    """Without enough replicas in sync its sender hears 15 like any other client, and may send it
    again; the transaction has ended nevertheless (CRT-08, CRT-20, TXN-33)."""
    parts = Parts(rules=ShardRules(timeout_ms=5000)).load()
    reply = Answers()
    parts.shard.end_transaction(MARKER, reply)
    parts.log.give_up(ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND)
    parts.loop.run(4999)
    assert reply.told == []
    parts.loop.run(1)
    assert reply.told == [ErrorCode.COORDINATOR_NOT_AVAILABLE]
    parts.log.commit()
    assert reply.told == [ErrorCode.COORDINATOR_NOT_AVAILABLE]
    assert parts.shard.committed_offset == 1
    assert parts.shard.machine.events == ["loaded", "end 7 True"]


def test_a_marker_that_commits_in_time_is_answered_once() -> None:
    """Its limit goes with the answer (CRT-08, CRT-20)."""
    parts = Parts(rules=ShardRules(timeout_ms=5000)).load()
    reply = Answers()
    parts.shard.end_transaction(MARKER, reply)
    assert parts.loop.waiting == 1
    parts.loop.run(4999)
    parts.log.commit()
    assert reply.told == [ErrorCode.NONE]
    assert parts.loop.waiting == 0
    parts.loop.run(10_000)
    assert reply.told == [ErrorCode.NONE]
