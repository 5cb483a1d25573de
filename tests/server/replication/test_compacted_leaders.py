"""Followers of a leader whose log has holes: it was compacted once, or is (CMP-23)."""

from __future__ import annotations

from pathlib import Path

from kit.logs import offsets_of, read_all, split
from kit.waiting import until

from .followers import LEADER, TOPIC_ID, Follower, following
from .leaders import Led

GONE = (3, 4)


def compacted(records: bytes) -> bytes:
    """An answer without some of its batches."""
    return b"".join(one for one in split(records) if offsets_of(one)[0] not in GONE)


def leader_with_holes(follower: Follower) -> Led:
    led = follower.leader.lead(TOPIC_ID)
    led.append(batches=10)
    led.spoil = compacted
    return led


async def test_a_log_with_holes_is_named_before_the_next_fetch(tmp_path: Path) -> None:
    """CMP-23: what lies behind a hole is there after a crash once the leader counts on it."""
    async with following(tmp_path) as follower:
        led = leader_with_holes(follower)
        partition = follower.partition(cleanup_policy=("delete",))
        partition.follow(LEADER, 0)
        await until(lambda: follower.leader.parked)
        assert [offsets_of(raw)[0] for raw in read_all(partition.log)] == [0, 1, 2, *range(5, 10)]
        assert follower.named == [(10, 0)]
        led.append()
        follower.leader.tell()
        await until(lambda: partition.log.log_end_offset == 11)
        await until(lambda: follower.leader.parked)
        assert follower.named == [(10, 0)], "once is enough"


async def test_a_disk_that_refuses_to_name_it(tmp_path: Path) -> None:
    """CMP-17: the log goes offline; the leader is not told that it has anything behind the hole."""
    async with following(tmp_path) as follower:
        leader_with_holes(follower)
        follower.checkpoint_error = OSError("read-only")
        partition = follower.partition()
        partition.follow(LEADER, 0)
        await until(lambda: partition.log.failure is not None)
        assert follower.failures
        asked = [
            one.fetch_offset
            for request in follower.leader.requests
            for topic in request.topics
            for one in topic.partitions
        ]
        assert max(asked) == 0


async def test_a_log_without_holes_is_not_named(tmp_path: Path) -> None:
    """Goal: nothing is written for all other logs."""
    async with following(tmp_path) as follower:
        follower.leader.lead(TOPIC_ID).append(batches=10)
        partition = follower.partition()
        partition.follow(LEADER, 0)
        await until(lambda: partition.log.log_end_offset == 10)
        await until(lambda: follower.leader.parked)
        assert (follower.named, partition.log.compaction.clean_end) == ([], None)
