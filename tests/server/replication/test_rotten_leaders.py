"""Followers of a leader whose disk has turned a bit of a base offset over: they copy none of it.

No checksum covers base offsets. Once the leader's batch is as it was, they have all that it has.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from kit.logs import offsets_of, read_all, split
from kit.waiting import until

from .followers import LEADER, TOPIC_ID, following
from .leaders import same

COUNT, ROTTEN = 40, 25
FAR_BIT, SIGN_BIT, REACH_BIT = 1 << 20, 1 << 63, 1 << 62


class Rot:
    """A bit of the base offset of batch 25, in each answer that has it."""

    def __init__(self, bit: int, *, is_last: bool) -> None:
        """`is_last`: the answers end with that batch, as their size would have it."""
        self._bit = bit
        self._is_last = is_last
        self.is_gone = False
        self.seen = 0
        """How many answers had it."""

    def __call__(self, records: bytes) -> bytes:
        batches = split(records)
        bases = [offsets_of(one)[0] for one in batches]
        if self.is_gone or ROTTEN not in bases:
            return records
        self.seen += 1
        at = bases.index(ROTTEN)
        batches[at] = (ROTTEN ^ self._bit).to_bytes(8, "big") + batches[at][8:]
        return b"".join(batches[: at + 1] if self._is_last else batches)


@pytest.mark.parametrize("bit", [FAR_BIT, REACH_BIT, SIGN_BIT], ids=["far", "reach", "sign"])
@pytest.mark.parametrize("is_last", [False, True], ids=["others behind it", "last one"])
async def test_a_batch_with_another_offset(tmp_path: Path, bit: int, *, is_last: bool) -> None:
    """I-5, 279-01: nothing comes behind a hole, and no log ends as the leader's does without all
    that is in it; other partitions are copied meanwhile."""
    async with following(tmp_path, replica_fetch_backoff_ms=1) as follower:
        led, other = follower.leader.lead(TOPIC_ID, 0), follower.leader.lead(TOPIC_ID, 1)
        led.append(batches=COUNT)
        other.append(batches=3)
        led.spoil = rot = Rot(bit, is_last=is_last)
        partition, second = follower.partition(index=0), follower.partition(index=1)
        partition.follow(LEADER, 0)
        second.follow(LEADER, 0)
        await until(lambda: rot.seen > 1 or follower.leader.parked)
        await until(lambda: same(second, other))
        other.append()
        follower.leader.tell()
        await until(lambda: same(second, other))
        rot.is_gone = True
        await until(lambda: same(partition, led))
        assert read_all(partition.log) == read_all(led.log)
        assert read_all(second.log) == read_all(other.log)
