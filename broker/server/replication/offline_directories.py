"""Log directories that failed: all their replicas go offline, and the controller is told (KIP-858).

The first thing that a disk refuses takes its whole directory offline, while the broker has another
one: the directory is named in every heartbeat from then on, and by that the controller takes all
its replicas out of leaderships and ISRs at once. If no heartbeat with it was answered within
`log.dir.failure.timeout.ms`, the node stops: others would wait for replicas that are not there.

The last directory is not given up: what its logs hold can still be read, so that only those
replicas are told, one by one, that others have too (`assign_directories`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

from ...core.log.failures import LogDirectoryFailure
from ...core.log.log_directory import LogDirectory
from ...core.replication.directories import id_of
from ...core.replication.partition import Partition
from .services import ReplicationServices


class OfflineDirectories:
    """The failed directories of this broker, for as long as the process lives."""

    def __init__(
        self,
        node: ReplicationServices,
        *,
        on_news: Callable[[], object],
        on_unheard: Callable[[LogDirectoryFailure], object],
    ) -> None:
        """`on_news` is called when a heartbeat should be sent at once; `on_unheard` when the
        controller was not told of a failure in time, so that the node must stop."""
        self._node = node
        self._on_news = on_news
        self._on_unheard = on_unheard
        self._loop = asyncio.get_running_loop()
        self._failures: dict[bytes, LogDirectoryFailure] = {}
        self._timers: dict[bytes, asyncio.TimerHandle] = {}

    @property
    def ids(self) -> tuple[bytes, ...]:
        """The directories that the next heartbeat names."""
        return tuple(self._failures)

    def holds(self, directory: LogDirectory) -> bool:
        """Whether this directory has failed."""
        return id_of(directory) in self._failures

    def on_offline(self, partition: Partition, failure: LogDirectoryFailure) -> None:
        """The disk refused an operation on this replica: its directory has failed."""
        self.give_up(self._node.replicas.directory_of(partition), failure)

    def give_up(self, failed: LogDirectory, failure: LogDirectoryFailure) -> None:
        """The disk refused an operation in this directory; the last one is kept in use."""
        replicas = self._node.replicas
        own_id = id_of(failed)
        is_last = all(one is failed or self.holds(one) for one in replicas.directories)
        if own_id is None or own_id in self._failures or is_last:
            return
        self._failures[own_id] = failure
        self._node.log.error("log directory is offline", directory=failed.path, error=str(failure))
        timeout_s = self._node.config.log_dir_failure_timeout_ms / 1000.0
        self._timers[own_id] = self._loop.call_later(timeout_s, self._unheard, own_id)
        for other in list(replicas):
            if not other.is_offline and replicas.directory_of(other) is failed:
                other.on_disk_failure(other.log.fail("using", failure.cause))
        self._on_news()

    def told(self, ids: Iterable[bytes]) -> None:
        """The controller has answered a heartbeat that named these directories."""
        for one in ids:
            timer = self._timers.pop(one, None)
            if timer is not None:
                timer.cancel()

    def _unheard(self, own_id: bytes) -> None:
        del self._timers[own_id]
        self._on_unheard(self._failures[own_id])

    def stop(self) -> None:
        """Stop waiting."""
        self.told(tuple(self._timers))
