"""Throttles of replication at the leader: who is held up, and what is counted (KIP-73)."""

from __future__ import annotations

from pathlib import Path

from kit.batches import batch
from kit.broker import Bench, running
from kit.producing import send
from kit.stopped_clock import stopped_env

from barnabas.broker.core.cluster.image import RESOURCE_BROKER
from barnabas.protocol.messages.config_record import ConfigRecord

from .clusters import Follower, create_replicated, register

LARGE = batch(b"x" * 5000)


def throttle(bench: Bench, rate: int | None, broker: str = "") -> None:
    """Set or remove the rate of leaders, on all brokers or on one."""
    bench.apply(
        ConfigRecord(
            resource_type=RESOURCE_BROKER,
            resource_name=broker,
            name="leader.replication.throttled.rate",
            value=None if rate is None else str(rate),
        )
    )


async def test_who_is_not_in_sync_waits(tmp_path: Path) -> None:
    """QTA-20: over the rate a replica out of sync gets nothing, one in sync all; bytes count."""
    async with running(tmp_path, stopped_env()) as bench, bench.connect() as client:
        register(bench)
        create_replicated(bench, isr=(1, 3), leader_replication_throttled_replicas="0:1")
        throttle(bench, 4000)
        for _ in range(2):
            await send(client, LARGE, acks=1)
        out, inside = Follower(client, 2), Follower(client, 3)
        assert len((await out.fetch(0)).records) > 10_000  # more than a second's worth
        assert not await rows(out, 0)
        assert len((await inside.fetch(0)).records) > 10_000
        throttle(bench, 30_000, "1")  # the broker's own rate comes before that of all
        assert len((await out.fetch(0)).records) > 10_000
        throttle(bench, None, "1")
        assert not await rows(out, 0)
        throttle(bench, None)
        assert len((await out.fetch(0)).records) > 10_000


async def rows(follower: Follower, offset: int) -> bytes:
    """The records of the only partition; none if the answer leaves it out."""
    row = await follower.fetch(offset)
    records: bytes = b"" if row is None else row.records or b""
    return records


async def test_other_replicas_are_not_throttled(tmp_path: Path) -> None:
    """QTA-20: both parts are needed, the rate and the name of this broker's replica."""
    async with running(tmp_path, stopped_env()) as bench, bench.connect() as client:
        register(bench)
        create_replicated(bench, isr=(1, 3), leader_replication_throttled_replicas="0:2,1:1")
        throttle(bench, 1)
        await send(client, LARGE, acks=1)
        out = Follower(client, 2)
        for _ in range(2):
            assert len((await out.fetch(0)).records) > 5000
