"""Reads of a shard that was just loaded: no less is told than by the leader before (CRT-14)."""

from __future__ import annotations

import pytest
from kit.shard_parts import Parts, record

from barnabas.broker.core.coordination.machine import Outcome
from barnabas.protocol.errors import ErrorCode, KafkaError


def _behind_its_watermark() -> Parts:
    """A shard that was just loaded; the second of its two batches is above the watermark."""
    parts = Parts().load()
    for value in (1, 2):
        parts.write(Outcome("", [record("a", value)]))
        parts.loop.run()
    parts.log.high_watermark = 1
    return Parts(parts.log).load()


class Waits:
    """A `Reply` that counts its answers; 0 is that it may read."""

    def __init__(self, parts: Parts) -> None:
        self.told: list[ErrorCode] = []
        parts.shard.when_caught_up(self)

    def give(self, answer: None) -> None:
        self.told.append(ErrorCode.NONE)

    def refuse(self, error: KafkaError) -> None:
        self.told.append(error.code)


def test_who_reads_after_a_load_is_told_no_less_than_the_leader_before_told() -> None:
    """Reads wait for the watermark to reach what was loaded (CRT-09, CRT-14)."""
    parts = _behind_its_watermark()
    reader = Waits(parts)
    parts.write(Outcome("", [record("a", 3)]))  # what is decided since is not waited for
    parts.loop.run()
    assert parts.shard.is_behind
    assert reader.told == []
    parts.log.commit(2)
    assert reader.told == [ErrorCode.NONE]
    assert not parts.shard.is_behind
    assert parts.committed == {"a": 2}
    assert Waits(parts).told == [ErrorCode.NONE]


def test_who_reads_after_a_load_waits_no_longer_than_for_a_commit() -> None:
    """A watermark that stands still, as without enough replicas, keeps out only those who may not
    be told of an old state (CRT-08)."""
    parts = _behind_its_watermark()
    parts.loop.run(1_000)
    reader = Waits(parts)
    parts.loop.run(3_999)
    assert reader.told == []
    parts.loop.run(1)  # five seconds after the load
    late = Waits(parts)
    parts.loop.run(0)
    assert reader.told == late.told == [ErrorCode.COORDINATOR_NOT_AVAILABLE]
    assert parts.committed == {"a": 1}
    with pytest.raises(KafkaError) as refused:
        parts.shard.read(lambda machine, offset: offset)
    assert refused.value.code is ErrorCode.COORDINATOR_LOAD_IN_PROGRESS
    parts.log.commit()
    assert parts.committed == {"a": 2}
    assert parts.shard.read(lambda machine, offset: offset) == 2
    assert parts.loop.waiting == 0


def test_who_waits_to_read_hears_that_the_shard_is_gone() -> None:
    """16, at once (CRT-18)."""
    parts = _behind_its_watermark()
    reader = Waits(parts)
    parts.shard.unload()
    assert reader.told == [ErrorCode.NOT_COORDINATOR]
    assert parts.loop.waiting == 0
    assert Waits(parts).told == [ErrorCode.NOT_COORDINATOR]


def test_a_shard_that_is_loading_is_not_waited_for() -> None:
    """14: who asks comes back (CRT-14)."""
    assert Waits(Parts()).told == [ErrorCode.COORDINATOR_LOAD_IN_PROGRESS]
