"""Committed offsets: transactions, deletion, expiry, and what a compacted log may hold."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest
from kit.examples import examples
from kit.group_shards import NOBODY, FakeGroup, OneGroupShard

from barnabas.broker.core.coordination.groups.group import Committer
from barnabas.broker.core.coordination.machine import Producer, Record
from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.legacy_offset_commit_key import LegacyOffsetCommitKey
from barnabas.protocol.messages.legacy_offset_commit_value import LegacyOffsetCommitValue
from barnabas.protocol.messages.offset_commit_key import OffsetCommitKey
from barnabas.protocol.messages.offset_commit_value import OffsetCommitValue

ONE, TWO = Producer(1, 0), Producer(2, 0)
DAY_MS = 24 * 3600 * 1000
CHECK_MS = 600_000
UNSTABLE = ErrorCode.UNSTABLE_OFFSET_COMMIT


def test_offsets_of_a_transaction_count_with_its_commit() -> None:
    """Before, the last committed one is told, or 88 where only stable ones are wanted
    (OFF-08, OFF-09)."""
    shard = OneGroupShard()
    shard.commit(5)
    shard.commit(9, producer=ONE)
    assert (shard.offset(), shard.stable()) == (5, UNSTABLE)
    assert shard.stable(partition=("t", 1)) is None
    shard.end(ONE, is_commit=True)
    assert (shard.offset(), shard.stable()) == (9, 9)


def test_an_abort_drops_them() -> None:
    """Nothing is left of them, nor of a second marker (OFF-09)."""
    shard = OneGroupShard()
    shard.commit(9, producer=ONE)
    shard.end(ONE, is_commit=False)
    shard.end(ONE, is_commit=True)
    assert (shard.offset(), shard.stable()) == (None, None)


def test_the_later_record_wins_not_the_later_marker() -> None:
    """A plain commit after a transactional one stays when that is committed (OFF-09)."""
    shard = OneGroupShard()
    shard.commit(50, producer=ONE)
    shard.commit(8)
    shard.end(ONE, is_commit=True)
    assert shard.offset() == 8


def test_several_transactions_may_be_open_for_a_partition() -> None:
    """Each ends by itself; the partition is stable when all have ended (OFF-09)."""
    shard = OneGroupShard()
    shard.commit(1, producer=ONE)
    shard.commit(2, producer=TWO)
    shard.end(TWO, is_commit=True)
    assert (shard.offset(), shard.stable()) == (2, UNSTABLE)
    shard.end(ONE, is_commit=True)
    assert (shard.offset(), shard.stable()) == (2, 2)


def test_a_tombstone_drops_what_is_open_too() -> None:
    """The marker that comes later finds nothing of that partition (OFF-10)."""
    shard = OneGroupShard()
    shard.commit(1, producer=ONE)
    shard.commit(1, partition=("t", 1), producer=ONE)
    shard.shard.write(lambda: shard.offsets.delete("g", [("t", 0)]))
    shard.end(ONE, is_commit=True)
    assert (shard.offset(), shard.offset(partition=("t", 1))) == (None, 1)


def test_markers_count_whatever_the_group() -> None:
    """A group that went meanwhile is there again, with its offset (OFF-10)."""
    shard = OneGroupShard()
    shard.commit(1, producer=ONE)
    shard.groups.pop("g")
    shard.end(ONE, is_commit=True)
    assert shard.offset() == 1
    assert "g" in shard.groups


def test_what_was_staged_is_taken_back_with_its_batch() -> None:
    """A failed append leaves no open transaction behind (CRT-07)."""
    shard = OneGroupShard()
    shard.commit(5)
    shard.shard.commits_at_once = False
    shard.commit(9, producer=ONE)
    shard.commit(6)
    assert shard.offset(at=shard.shard.committed) == 5
    shard.shard.fail(ErrorCode.NOT_ENOUGH_REPLICAS)
    assert (shard.offset(), shard.stable()) == (5, 5)
    shard.end(ONE, is_commit=True)
    assert shard.offset() == 5


@pytest.mark.parametrize("seed", range(examples(30)))
def test_replay_order_is_live_order(seed: int) -> None:
    """Plain commits, transactional ones, tombstones and markers: the log alone gives the same
    state (OFF-09, CRT-16)."""
    pick = Random(seed)
    live, loaded = OneGroupShard(), OneGroupShard()
    for offset in range(60):
        partition = ("t", pick.randrange(3))
        producer = pick.choice((None, None, ONE, TWO))
        kind = pick.choice(("commit", "commit", "delete", "end"))
        if kind == "end" and producer is not None:
            is_commit = pick.random() < 0.6
            live.end(producer, is_commit=is_commit)
            loaded.end(producer, is_commit=is_commit)
            continue
        before = len(live.shard.log)
        if kind == "delete" and "g" in live.groups:
            live.shard.write(partial(live.offsets.delete, "g", [partition]))
            producer = None
        else:
            live.commit(offset, partition=partition, producer=producer)
        for at in range(before, len(live.shard.log)):
            loaded.machine.replay(live.shard.log[at], at, producer)
    for number in range(3):
        assert live.offset(partition=("t", number)) == loaded.offset(partition=("t", number))
        assert live.stable(partition=("t", number)) == loaded.stable(partition=("t", number))


def test_a_compacted_log_may_begin_anywhere() -> None:
    """Tombstones of what never was change nothing; old keys are read (CRT-16, OFF-31)."""
    shard = OneGroupShard()
    shard.machine.replay(Record(OffsetCommitKey(group="x", topic="t", partition=0), None), 3, None)
    assert "x" not in shard.groups
    old = LegacyOffsetCommitKey(group="old", topic="t", partition=0)
    shard.machine.replay(Record(old, LegacyOffsetCommitValue(offset=4, metadata="m")), 4, None)
    key = OffsetCommitKey(group="v1", topic="t", partition=0)
    value = OffsetCommitValue(offset=5, metadata="", expire_timestamp=-1)
    shard.machine.replay(Record(key, value, 1), 5, None)
    assert (shard.offset("old"), shard.offset("v1")) == (4, 5)
    found = shard.offsets.table.get("v1", ("t", 0))
    assert found is not None
    assert found.expire_ms is None


@pytest.mark.parametrize(
    ("epoch", "version", "is_transactional", "code"),
    [(3, 8, False, 22), (3, 9, False, 69), (0, 10, False, 69), (3, 9, True, 22)],
)
def test_unknown_groups(epoch: int, version: int, is_transactional: bool, code: int) -> None:
    """A generation that nobody can know is refused; without one the group is made
    (OFF-03, OFF-11)."""
    shard = OneGroupShard()
    with pytest.raises(KafkaError) as caught:
        shard.commit(1, committer=Committer("m", epoch, None, version, is_transactional))
    assert caught.value.code == code
    shard.commit(1, producer=ONE if is_transactional else None)
    assert shard.groups["g"].is_empty


def test_the_group_decides_who_commits_and_reads() -> None:
    """Its error is the answer; who does not say who they are may read (OFF-04, OFF-07)."""
    shard = OneGroupShard()
    shard.groups["g"] = group = FakeGroup()
    group.error = KafkaError(ErrorCode.STALE_MEMBER_EPOCH)
    with pytest.raises(KafkaError):
        shard.commit(1)
    with pytest.raises(KafkaError):
        shard.offsets.check_fetch("g", NOBODY)
    shard.offsets.check_fetch("g", None)
    shard.offsets.check_fetch("unknown", NOBODY)


def test_subscribed_topics_keep_their_offsets() -> None:
    """86 for these, whatever else is deleted (OFF-20)."""
    shard = OneGroupShard()
    shard.commit(1)
    shard.commit(1, partition=("u", 0))
    shard.groups["g"] = group = FakeGroup()
    group.topics = {"t"}
    codes = shard.shard.write(lambda: shard.offsets.delete("g", [("t", 0), ("u", 0), ("u", 1)]))
    assert codes == [ErrorCode.GROUP_SUBSCRIBED_TO_TOPIC, ErrorCode.NONE, ErrorCode.NONE]
    assert (shard.offset(), shard.offset(partition=("u", 0))) == (1, None)


# --- expiry ---------------------------------------------------------------------------------------


def expiring() -> OneGroupShard:
    """A shard whose timers run."""
    shard = OneGroupShard()
    shard.machine.on_loaded()
    return shard


def test_offsets_that_nobody_uses_expire() -> None:
    """From the commit on, after `offsets.retention.minutes`; then the group goes
    (OFF-30, OFF-32, GRP-26)."""
    shard = expiring()
    shard.commit(1)
    shard.shard.timers.advance(7 * DAY_MS - CHECK_MS)
    assert shard.offset() == 1
    shard.commit(2, partition=("t", 1))
    shard.shard.timers.advance(2 * CHECK_MS)
    assert (shard.offset(), shard.offset(partition=("t", 1))) == (None, 2)
    assert "g" in shard.groups
    shard.shard.timers.advance(8 * DAY_MS)
    assert "g" not in shard.groups
    assert list(shard.offsets.all_partitions()) == []


def test_what_a_group_reads_does_not_expire() -> None:
    """Nor anything of a group in which nothing expires now (OFF-30)."""
    shard = expiring()
    shard.commit(1)
    shard.groups["g"] = group = FakeGroup()
    group.starts_ms = None
    shard.shard.timers.advance(9 * DAY_MS)
    assert shard.offset() == 1
    group.starts_ms, group.topics = 0, {"t"}
    shard.shard.timers.advance(CHECK_MS)
    assert shard.offset() == 1
    group.topics = set()
    shard.shard.timers.advance(CHECK_MS)
    assert shard.offset() is None
    assert "g" in shard.groups, "it has members"


def test_an_open_transaction_keeps_its_offset() -> None:
    """The committed one stays too, and the group (OFF-32)."""
    shard = expiring()
    shard.commit(1)
    shard.commit(2, producer=ONE)
    shard.shard.timers.advance(9 * DAY_MS)
    assert shard.offset() == 1
    shard.end(ONE, is_commit=True)
    shard.shard.timers.advance(CHECK_MS)
    assert "g" not in shard.groups


def test_an_empty_group_without_offsets_goes_at_once() -> None:
    """With the next check, whatever the retention (OFF-33)."""
    shard = expiring()
    shard.groups["g"] = group = FakeGroup()
    shard.shard.timers.advance(CHECK_MS)
    assert "g" in shard.groups
    group.is_empty = True
    before = len(shard.shard.log)
    shard.shard.timers.advance(CHECK_MS)
    assert len(shard.shard.log) == before + 1


@pytest.mark.slow
def test_rounds_of_many_offsets_are_of_small_operations() -> None:
    """No operation looks at more than a part of them (OFF-30)."""
    shard = expiring()
    for number in range(1800):
        shard.commit(1, partition=("t", number))
    shard.shard.commits_at_once = False
    shard.shard.timers.advance(8 * DAY_MS)
    assert list(shard.offsets.all_partitions()) == []
    sizes = [key for key in shard.shard.log if key.value is None]
    assert len(sizes) == 1801


def test_offsets_of_deleted_topics_go_from_all_groups() -> None:
    """Unless they are of another topic with that name (OFF-22)."""
    shard = OneGroupShard()
    gone, other = b"a" * 16, b"b" * 16
    shard.commit(1, "g", topic_id=gone)
    shard.commit(1, "h")
    shard.commit(1, "i", topic_id=other)
    shard.commit(1, "j", partition=("u", 0), topic_id=gone)
    shard.commit(1, "k", producer=ONE)
    shard.machine.on_metadata((), {"t": gone})
    shard.shard.timers.advance(1)
    left = set(shard.offsets.all_partitions())
    assert left == {("i", ("t", 0)), ("j", ("u", 0))}


def test_a_group_is_deleted_with_what_is_open() -> None:
    """Offsets first, then the group; in parts if there are very many (OFF-21, REC-02)."""
    shard = OneGroupShard()
    shard.commit(1)
    shard.commit(1, partition=("t", 1), producer=ONE)
    done = shard.shard.write(lambda: shard.offsets.delete_group("g"))
    assert done
    kinds = [one.key.API_KEY for one in shard.shard.log[2:]]
    assert kinds == [1, 1, 2]
    shard.end(ONE, is_commit=True)
    assert list(shard.offsets.all_partitions()) == []
    for number in range(1500):
        shard.commit(1, partition=("t", number))
    assert not shard.shard.write(lambda: shard.offsets.delete_group("g"))
    assert shard.shard.write(lambda: shard.offsets.delete_group("g"))
    with pytest.raises(KafkaError) as caught:
        shard.offsets.delete_group("g")
    assert caught.value.code is ErrorCode.GROUP_ID_NOT_FOUND
