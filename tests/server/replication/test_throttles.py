"""Throttles of replication at the follower: what it fetches while it is not in sync (KIP-73)."""

from __future__ import annotations

from pathlib import Path

from kit.waiting import until

from barnabas.broker.core.config.field import LONG_MAX

from .followers import LEADER, TOPIC_ID, following
from .leaders import same

SMALL: dict[str, int] = {"replica_fetch_max_bytes": 1}


async def test_a_replica_out_of_sync_waits(tmp_path: Path) -> None:
    """QTA-20: over the rate it is not fetched; without the rate it goes on."""
    async with following(tmp_path, **SMALL) as follower:
        throttle = follower.services.replication_quotas.follower
        throttle.limit_to(1)
        led = follower.leader.lead(TOPIC_ID)
        led.append(batches=3)
        led.commit()
        copy = follower.partition(follower_replication_throttled_replicas=("*",))
        copy.follow(LEADER, 0)
        await until(lambda: copy.log.log_end_offset == 1)
        other = follower.leader.lead(TOPIC_ID, 1)
        other.append(batches=3)
        other.commit()
        free = follower.partition(index=1)
        free.follow(LEADER, 0)
        await until(lambda: same(free, other))  # its topic does not name it
        assert copy.log.log_end_offset == 1
        throttle.limit_to(LONG_MAX)
        await until(lambda: same(copy, led))


async def test_a_replica_in_sync_is_not_held_up(tmp_path: Path) -> None:
    """QTA-20: at the leader's watermark it is fetched whatever the rate is."""
    async with following(tmp_path, **SMALL) as follower:
        follower.services.replication_quotas.follower.limit_to(1)
        led = follower.leader.lead(TOPIC_ID)
        led.append(batches=3)
        copy = follower.partition(follower_replication_throttled_replicas=("*",))
        copy.follow(LEADER, 0)
        await until(lambda: same(copy, led))
