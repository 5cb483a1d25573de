"""Replication of one broker, in one piece: fetchers, changes of in-sync sets, background work.

A broker makes it once it has its `ReplicaStore`, before any partition is loaded, and hands
`fetchers` and `isr` to the store's partitions. `start` after the partitions are there; `stop`
before the logs are closed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .alter_partition import IsrChanges

if TYPE_CHECKING:
    from .services import ReplicationServices


class Replication:
    """What keeps the replicas of this broker and of others the same."""

    def __init__(self, node: ReplicationServices) -> None:
        """Begins nothing, connects nowhere; needs a running loop."""
        self._node = node
        self.isr = IsrChanges(node)
        """The `IsrPort` of the partitions."""

    def start(self) -> None:
        """Begin the periodic work: expiration of followers, directories, the watchdog."""

    async def stop(self) -> None:
        """End all connections and tasks. No record is appended to a followed log any more."""
        await self.isr.stop()
