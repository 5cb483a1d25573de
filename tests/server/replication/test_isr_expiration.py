"""The search for followers that fell behind (501-03), with a clock that is told."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from kit.replicas import LAG_MS, Replica

from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.core.ports import Env
from barnabas.broker.server.replication.isr_expiration import IsrExpiration
from barnabas.broker.storage.files import RealDisk
from barnabas.testing.simulation.loop import SimulatedLoop

from .nodes import Services


def services_of(replica: Replica, **settings: Any) -> Services:
    services = Services(replace(BrokerConfig(), **settings))
    services.env = Env(clock=replica.clock, disk=RealDisk(), random=Random(1))
    services.replicas = [replica.partition]
    return services


async def test_a_follower_that_is_late_is_asked_to_be_removed(tmp_path: Path) -> None:
    """501-01, 501-03: one that is caught up stays; it is asked for once."""
    replica = Replica(tmp_path)
    services = services_of(replica)
    expiration = IsrExpiration(services)
    partition = replica.lead()
    replica.append()
    replica.fetched(2, 1)
    replica.clock.now_ms = LAG_MS + 1.0
    await expiration.search()
    assert [member for member, _ in replica.controller.change.isr] == [1, 2]
    await expiration.search()
    assert len(replica.controller.open) == 1
    assert expiration.shrinks == 1
    (line,) = services.log.events("followers are out of sync and should leave")
    assert (line["followers"], line["count"], line["partitions"]) == ([3], 1, partition.log.name)
    assert partition.as_leader().in_sync.count == 3, "until the controller has agreed"


@pytest.mark.parametrize("caught_up_at", [0.0, 0.3, 0.499, 0.7])
def test_removal_comes_between_one_and_one_and_a_half_lags(
    tmp_path: Path, caught_up_at: float
) -> None:
    """501-03: measured on virtual time, from the moment at which it was last caught up."""
    loop = SimulatedLoop(Random(1))
    lag_s = LAG_MS / 1000

    async def run() -> float:
        replica = Replica(tmp_path, replica_count=2)
        services = services_of(replica, replica_lag_time_max_ms=LAG_MS)
        replica.clock.monotonic_ms = lambda: loop.time() * 1000  # type: ignore[method-assign]
        replica.lead()
        expiration = IsrExpiration(services)
        expiration.start()
        await asyncio.sleep(caught_up_at * lag_s)
        replica.partition.as_leader().note_fetch(2, 102, 0, 0, loop.time() * 1000)
        began = loop.time()
        replica.append()
        while not replica.controller.open:  # noqa: ASYNC110 - on virtual time
            await asyncio.sleep(lag_s / 100)
        await expiration.stop()
        return loop.time() - began

    try:
        took = loop.run_until_complete(run())
    finally:
        loop.close()
    assert 1.0 * lag_s <= took <= 1.52 * lag_s
