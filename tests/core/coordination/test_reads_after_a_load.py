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


class Told:
    """A `Reply` that keeps what it is told."""

    def __init__(self) -> None:
        self.told: list[str | ErrorCode] = []

    def give(self, answer: str) -> None:
        self.told.append(answer)

    def refuse(self, error: KafkaError) -> None:
        self.told.append(error.code)


def test_an_answer_of_the_machine_waits_for_what_was_loaded() -> None:
    """What another leader may take back is told to nobody, an error at once (CRT-06, CRT-14)."""
    parts = _behind_its_watermark()
    answered, refused = Told(), Told()
    parts.shard.after_load(answered).give("generation 5")
    parts.shard.after_load(refused).refuse(KafkaError(ErrorCode.UNKNOWN_MEMBER_ID))
    assert answered.told == []
    assert refused.told == [ErrorCode.UNKNOWN_MEMBER_ID]
    parts.log.commit(2)
    assert answered.told == ["generation 5"]
    assert parts.shard.after_load(answered) is answered
    assert parts.loop.waiting == 0


def test_an_answer_of_the_machine_that_is_given_when_all_is_committed() -> None:
    """Goal: a member that joined before the watermark came, and is answered after (CRT-14)."""
    parts = _behind_its_watermark()
    member = Told()
    reply = parts.shard.after_load(member)
    parts.log.commit(2)
    reply.give("generation 5")
    assert member.told == ["generation 5"]


def test_an_answer_of_the_machine_is_given_up_with_the_shard() -> None:
    """16 when the shard goes, 15 when its replicas take too long (CRT-08, CRT-18)."""
    parts = _behind_its_watermark()
    early, late = Told(), Told()
    parts.shard.after_load(early).give("generation 5")
    parts.loop.run(5_000)
    assert early.told == [ErrorCode.COORDINATOR_NOT_AVAILABLE]
    parts = _behind_its_watermark()
    parts.shard.after_load(late).give("generation 5")
    parts.shard.unload()
    assert late.told == [ErrorCode.NOT_COORDINATOR]
    assert parts.loop.waiting == 0
