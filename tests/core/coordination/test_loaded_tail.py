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


def test_who_reads_after_a_load_is_told_no_less_than_the_leader_before_told() -> None:
    """Reads wait for the watermark to reach what was loaded (CRT-09, CRT-14)."""
    parts = _behind_its_watermark()
    told: list[dict[str, int]] = []
    parts.shard.before_read(lambda: told.append(parts.committed))
    parts.write(Outcome("", [record("a", 3)]))  # what is decided since is not waited for
    parts.loop.run()
    assert told == []
    parts.log.commit(2)
    assert told == [{"a": 2}]
    parts.shard.before_read(lambda: told.append(parts.committed))
    assert told == [{"a": 2}, {"a": 2}]


def test_who_reads_after_a_load_waits_no_longer_than_for_a_commit() -> None:
    """A watermark that stands still, as without enough replicas, keeps out only those who may not
    be told of an old state (CRT-08)."""
    parts = _behind_its_watermark()
    told: list[dict[str, int]] = []
    parts.loop.run(1_000)
    parts.shard.before_read(lambda: told.append(parts.committed))
    parts.loop.run(3_999)
    assert told == []
    parts.loop.run(1)  # five seconds after the load
    parts.shard.before_read(lambda: told.append(parts.committed))
    assert told == [{"a": 1}, {"a": 1}]
    with pytest.raises(KafkaError) as refused:
        parts.shard.read(lambda machine, offset: offset)
    assert refused.value.code is ErrorCode.COORDINATOR_LOAD_IN_PROGRESS
    parts.log.commit()
    assert parts.committed == {"a": 2}
    assert parts.shard.read(lambda machine, offset: offset) == 2
    assert parts.loop.waiting == 0


def test_who_waits_to_read_hears_that_the_shard_is_gone() -> None:
    """16, from `read` itself (CRT-18)."""
    parts = _behind_its_watermark()
    told: list[ErrorCode] = []

    def look() -> None:
        with pytest.raises(KafkaError) as refused:
            _ = parts.committed
        told.append(refused.value.code)

    parts.shard.before_read(look)
    parts.shard.unload()
    assert told == [ErrorCode.NOT_COORDINATOR]
    assert parts.loop.waiting == 0
    with pytest.raises(KafkaError):
        parts.shard.before_read(look)
