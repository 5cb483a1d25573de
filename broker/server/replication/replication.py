"""Replication of one broker, in one piece: fetchers, changes of in-sync sets, background work.

A broker makes it once it has its `ReplicaStore`, before any partition is loaded: it puts itself
into the store's surroundings. `start` when the broker is registered; `stop` before the logs are
closed.
"""

from __future__ import annotations

from collections.abc import Callable

from ...core.cluster.changes import Changes
from ...core.cluster.image import ClusterImage
from ...core.log.failures import LogDirectoryFailure
from ...core.replication.partition import Partition
from .alter_partition import IsrChanges
from .assign_directories import DirectoryAssignments
from .directory_moves import DirectoryMoves
from .isr_expiration import IsrExpiration
from .offline_directories import OfflineDirectories
from .replica_fetchers import ReplicaFetchers
from .replica_selectors import replica_selector
from .services import ReplicationServices


class Replication:
    """Keeps the replicas of this broker and of others the same."""

    def __init__(
        self,
        node: ReplicationServices,
        *,
        on_news: Callable[[], object],
        on_unheard: Callable[[LogDirectoryFailure], object],
    ) -> None:
        """Begins nothing, connects nowhere; needs a running loop. The callbacks are those of
        `OfflineDirectories`.

        Raises ConfigError: `replica.selector.class` names nothing that could be loaded.
        """
        self._node = node
        self.fetchers = ReplicaFetchers(node)
        self.isr = IsrChanges(node)
        self.expiration = IsrExpiration(node)
        self.offline = OfflineDirectories(node, on_news=on_news, on_unheard=on_unheard)
        self.directories = DirectoryAssignments(node, self.offline)
        self.moves = DirectoryMoves(node, self.directories, self.offline)
        selector = None
        if node.replicas.selector is None and node.config.replica_selector_class:
            selector = replica_selector(node.config.replica_selector_class)
        node.replicas.connect(self.fetchers, self.isr, self._on_offline, selector)
        node.metrics.sources.append(self.figures)

    def start(self) -> None:
        """Begin to fetch, and begin the periodic work."""
        self.fetchers.start()
        self.expiration.start()
        self.directories.start()
        self.moves.start()

    def on_image(self, image: ClusterImage, changes: Changes) -> None:
        """To be called with each change of the metadata, after the `ReplicaStore`."""
        self.directories.on_image(image, changes)

    def _on_offline(self, partition: Partition, failure: LogDirectoryFailure) -> None:
        self.offline.on_offline(partition, failure)
        self.directories.look_at(partition)

    def figures(self) -> dict[str, float]:
        """The metrics by name."""
        return {
            **self.fetchers.figures(),
            **self.moves.figures(),
            "ReplicaManager.FailedIsrUpdatesTotal": self.isr.failures,
        }

    async def stop(self) -> None:
        """End all connections and tasks. No record is appended to a followed log any more."""
        await self.moves.stop()
        await self.fetchers.stop()
        await self.expiration.stop()
        self.offline.stop()
        await self.directories.stop()
        await self.isr.stop()
