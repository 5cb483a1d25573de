"""Replicas on broker 1 that follow, without a broker around them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from kit.logs import config_of, env_of, open_log
from kit.replicas import Cluster, Flushes

from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.core.replication.partition import Partition, PartitionPorts
from barnabas.broker.core.replication.surroundings import Surroundings
from barnabas.broker.server.replication.replica_fetchers import ReplicaFetchers

from .leaders import FakeLeader
from .nodes import NODE_ID, Services

TOPIC_ID = bytes(14) + b"\x0a\x07"
LEADER = 2


class Follower:
    """Broker 1: its partitions, its fetchers, and the leader (broker 2) that they fetch from."""

    def __init__(self, directory: Path, **settings: Any) -> None:
        self.directory = directory
        self.services = Services(replace(BrokerConfig(), **settings))
        self.services.replicas = self
        self.flushes = Flushes()
        self.checkpoints: list[tuple[int, int]] = []
        """(End offset, recovery point) of logs when their directory's checkpoints were written."""
        self.named: list[tuple[int, int | None]] = []
        """(End offset, clean end) of logs when they were written down as cleaned."""
        self.checkpoint_error: OSError | None = None
        self.failures: list[object] = []
        self.surroundings = Surroundings(
            NODE_ID,
            env_of(),
            cluster=Cluster(),
            lag_time_max_ms=30_000,
        )
        self.leader = FakeLeader(directory)
        self.fetchers = ReplicaFetchers(self.services, self.leader.connect)
        self.ports = PartitionPorts(
            self.flushes, lambda _, failure: self.failures.append(failure), self.fetchers
        )

    def partition(self, topic_id: bytes = TOPIC_ID, index: int = 0, **config: Any) -> Partition:
        """A replica here, with an empty log."""
        settings = config_of(**config)
        folder = self.directory / f"follower-{topic_id.hex()[-4:]}-{index}"
        log = open_log(folder, settings, env_of())
        around, ports = self.surroundings, self.ports
        return Partition("t", topic_id, index, log=log, config=settings, around=around, ports=ports)

    def directory_of(self, partition: Partition) -> Any:
        """As of `ReplicaStore`."""
        return FakeDirectory(self, partition)

    def holds(self, partition: Partition) -> bool:
        """As of `ReplicaStore`."""
        return True


class FakeDirectory:
    """As much of a `LogDirectory` as is needed to lower the checkpoint of its one log."""

    def __init__(self, follower: Follower, partition: Partition) -> None:
        self.path = partition.log.directory
        self._follower = follower
        self._log = partition.log
        self._lowered = 1 << 62

    def lower(self, key: object, offset: int, whose: object) -> None:
        self._lowered = offset

    def release(self, key: object, whose: object) -> None:
        """The next one is made anew."""

    def recovery_point_write(self) -> Any:
        return SimpleNamespace(run=self._write)

    def cleaner_write(self) -> Any:
        return SimpleNamespace(run=self._write_cleaned)

    def _write_cleaned(self) -> None:
        self._refuse()
        self._follower.named.append((self._log.log_end_offset, self._log.compaction.clean_end))

    def _refuse(self) -> None:
        if self._follower.checkpoint_error is not None:
            raise self._follower.checkpoint_error

    def _write(self) -> None:
        self._refuse()
        point = min(self._log.sure_recovery_point, self._lowered)
        self._follower.checkpoints.append((self._log.log_end_offset, point))


@asynccontextmanager
async def following(directory: Path, **settings: Any) -> AsyncIterator[Follower]:
    """Fetchers that have begun; settings by field name. Nothing of them is left at the end."""
    follower = Follower(directory, **settings)
    follower.fetchers.start()
    yield follower
    await follower.fetchers.stop()
    left = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    assert not left, left
    assert follower.services.metrics.unexpected_errors == 0, follower.services.log.lines
    assert all(channel.is_closed for channel in follower.leader.channels)
