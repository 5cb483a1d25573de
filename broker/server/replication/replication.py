"""Replication of one broker, in one piece: fetchers, changes of in-sync sets, background work.

A broker makes it once it has its `ReplicaStore`, before any partition is loaded: it puts itself
into the store's surroundings. `start` when the broker is registered; `stop` before the logs are
closed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .alter_partition import IsrChanges
from .replica_fetchers import ReplicaFetchers

if TYPE_CHECKING:
    from .services import ReplicationServices


class Replication:
    """What keeps the replicas of this broker and of others the same."""

    def __init__(self, node: ReplicationServices) -> None:
        """Begins nothing, connects nowhere; needs a running loop."""
        self._node = node
        self.fetchers = ReplicaFetchers(node)
        self.isr = IsrChanges(node)
        around = node.replicas.surroundings
        around.fetchers = self.fetchers
        around.isr = self.isr

    def start(self) -> None:
        """Begin to fetch, and the periodic work."""
        self.fetchers.start()

    async def stop(self) -> None:
        """End all connections and tasks. No record is appended to a followed log any more."""
        await self.fetchers.stop()
        await self.isr.stop()
