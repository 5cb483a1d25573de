"""Rounds that remove offsets of deleted topics, and groups that nobody uses."""

from __future__ import annotations

import pytest
from kit.group_parts import GroupParts
from kit.group_shards import OneGroupShard

from barnabas.broker.core.coordination.groups.offsets import sweep
from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.consumer_group_heartbeat_request import (
    ConsumerGroupHeartbeatRequest,
)

from .mixed import GROUP, Mixed

TOO_FEW = KafkaError(ErrorCode.NOT_ENOUGH_REPLICAS)
EXPIRY = "offsets: expiry"
FIRST, SECOND, THIRD = b"1" * 16, b"2" * 16, b"3" * 16


# --- deleted topics -------------------------------------------------------------------------------


def test_a_sweep_pauses_while_the_log_takes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Offsets that cannot be removed now are tried again after a while, not at once and without
    end, and are gone in the end (OFF-22, CRT-07)."""
    for looked_at_once in (1000, 3, 2, 1):  # rounds of one operation, and of many
        monkeypatch.setattr(sweep, "LOOKED_AT_ONCE", looked_at_once)
        parts = GroupParts()
        for number in range(10):
            parts.commit(1, group=f"g{number}")
        parts.log.refusal = TOO_FEW
        parts.machine.on_metadata((), {"t": FIRST})
        parts.loop.run()
        of_a_round = parts.log.refused
        assert 1 <= of_a_round <= 10
        parts.loop.run(5000)
        assert of_a_round < parts.log.refused <= of_a_round * 11
        assert len(parts.groups_with_offsets()) == 10
        parts.log.refusal = None
        parts.loop.run(1000)
        assert parts.groups_with_offsets() == []
        done = parts.log.end_offset
        parts.loop.run(60_000)
        assert parts.log.end_offset == done


def test_a_topic_that_is_deleted_twice() -> None:
    """The offsets of both topics of that name go, whichever was deleted last before the sweep had
    its turn; those of a third one stay (OFF-22)."""
    parts = GroupParts()
    for group, topic_id in (("a", FIRST), ("b", SECOND), ("c", THIRD)):
        parts.commit(1, group=group, topic_id=topic_id)
    parts.commit(1, group="without")
    parts.machine.on_metadata((), {"t": FIRST})
    parts.machine.on_metadata((), {"t": SECOND})
    parts.loop.run(1000)
    assert parts.groups_with_offsets() == ["c"]


def test_a_topic_that_is_deleted_again_while_a_sweep_fails() -> None:
    """What could not be removed is not forgotten for the later one's sake (OFF-22, CRT-07)."""
    shard = OneGroupShard()
    shard.commit(1, "a", topic_id=FIRST)
    shard.commit(1, "b", topic_id=SECOND)
    shard.shard.commits_at_once = False
    shard.machine.on_metadata((), {"t": FIRST})
    shard.shard.timers.advance(0)
    shard.machine.on_metadata((), {"t": SECOND})
    shard.shard.fail(ErrorCode.NOT_ENOUGH_REPLICAS)
    shard.shard.commits_at_once = True
    shard.shard.timers.advance(1000)
    assert list(shard.offsets.all_partitions()) == []


# --- groups that nobody uses ----------------------------------------------------------------------


def _beat(mixed: Mixed, member_id: str, epoch: int) -> int:
    """A heartbeat of a member that reads `t`; its epoch from then on. Raises KafkaError."""
    request = ConsumerGroupHeartbeatRequest(
        group_id=GROUP,
        member_id=member_id,
        member_epoch=epoch,
        rebalance_timeout_ms=30_000,
        subscribed_topic_names=["t"],
        topic_partitions=[],
    )
    return mixed.ask(request).member_epoch


def _abandoned() -> Mixed:
    """A shard with one consumer group, whose only member has left."""
    mixed = Mixed()
    mixed.topics.make("t", 2)
    _beat(mixed, "old", 0)
    _beat(mixed, "old", -1)
    assert mixed.consumer_group.is_empty
    return mixed


def _expire(mixed: Mixed) -> list[int]:
    """One operation of a round of expiry; keys of what it wrote, and none when it is over."""
    start = len(mixed.shard.log)
    due, operation = mixed.shard.timers.due.pop(EXPIRY)
    mixed.clock.now_ms = max(mixed.clock.now_ms, due)
    mixed.shard.write(operation)
    return mixed.keys_since(start)


def _is_over(mixed: Mixed) -> bool:
    due, _ = mixed.shard.timers.due[EXPIRY]
    return due > mixed.clock.now_ms


def test_a_group_goes_by_one_operation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its tombstones are together, wherever the end of a step of the round falls (OFF-33)."""
    for looked_at_once in range(1, 7):
        monkeypatch.setattr(sweep, "LOOKED_AT_ONCE", looked_at_once)
        mixed = _abandoned()
        tombstones = [-(one.key.API_KEY or 0) for one in mixed.consumer_group.tombstones()]
        assert len(tombstones) > 1
        written = [_expire(mixed)]
        while not _is_over(mixed):
            written.append(_expire(mixed))
        assert [keys for keys in written if keys] == [tombstones]
        assert mixed.kind == ""


def test_who_joins_during_a_round_keeps_its_group(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whenever it comes, the round takes nothing of the group that it has joined (OFF-33)."""
    for looked_at_once in range(1, 7):
        monkeypatch.setattr(sweep, "LOOKED_AT_ONCE", looked_at_once)
        for joins_after in range(1, 7):
            mixed = _abandoned()
            for _ in range(joins_after):
                _expire(mixed)
                if _is_over(mixed):
                    break
            epoch = _beat(mixed, "new", 0)
            while not _is_over(mixed):
                _expire(mixed)
            assert _beat(mixed, "new", epoch) == epoch
            assert not mixed.consumer_group.is_empty
