"""The image that this node's broker reads: applies records to it, and tells who acts on them.

Records change an image in place; a snapshot replaces it by another. Listeners get `(image,
changes)` in slices, so that a change of ten thousand partitions does not stop the node; the quorum
hands over nothing more until they have had all of it.
"""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Final

from barnabas.protocol.message import Message

from ...core.cluster.changes import Changes
from ...core.cluster.image import ClusterImage
from ...core.ports import Env
from ...core.raft.snapshot_file import SnapshotId
from .image_changes import changes_between
from .listener import LeaderAndEpoch

PARTITIONS_PER_SLICE: Final = 8
"""After this many new logs, other work gets its turn: creating files takes time."""

RECORDS_PER_SLICE: Final = 500
"""Records of a snapshot that are applied before other work gets its turn; about a millisecond."""

LATE_S: Final = 0.05
"""How long a simulated node hesitates before it acts on what it has applied."""

ImageListener = Callable[[ClusterImage, Changes], object]
"""Called on the event loop after records were applied; when it returns, it has acted on them."""


class ImagePublisher:
    """A `QuorumListener` that owns the broker side's image of the cluster."""

    def __init__(self, cluster_id: str, env: Env | None = None) -> None:
        """`env` gives the hooks of the simulator."""
        self.image = ClusterImage(cluster_id)
        self._env = env
        self.leader = LeaderAndEpoch(-1, 0)
        self.append_wall_ms = 0
        """When the newest applied record was appended, by its leader's wall clock."""
        self.applied_offset = -1
        """The last offset that the image holds and all listeners have acted on."""
        self._listeners: list[ImageListener] = []
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._waiting_count = 0
        self.leader_listeners: list[Callable[[LeaderAndEpoch], object]] = []
        self.applied_listeners: list[Callable[[int], object]] = []
        """Called with each new `applied_offset`."""
        self.handed_over_listeners: list[Callable[[Iterable[tuple[bytes, int]], int], object]] = []
        """Called with partitions whose leader gave them away, and the leader's wall clock at that
        time."""

    def add_listener(self, listener: ImageListener) -> None:
        """Tell `listener` of every change from now on. It must read what is in the image already
        itself."""
        self._listeners.append(listener)

    async def wait_until_applied(self, offset: int) -> None:
        """Wait until everything up to and including `offset` was applied and acted on."""
        if self.applied_offset >= offset:
            return
        waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting_count += 1
        heapq.heappush(self._waiting, (offset, self._waiting_count, waiting))
        await waiting

    # --- QuorumListener -----------------------------------------------------------------------

    def on_leader(self, leader: LeaderAndEpoch) -> None:
        self.leader = leader
        for listener in self.leader_listeners:
            listener(leader)

    def on_committed(
        self,
        base_offset: int,
        epoch: int,
        records: Sequence[Message],
        append_wall_ms: int,
        last_offset: int,
    ) -> Awaitable[object] | None:
        """Apply a batch. Raises DamagedMetadataError if it does not follow the batches before."""
        image = self.image
        for offset, record in enumerate(records, base_offset):
            image.apply(record, offset)
        image.pass_over(last_offset, epoch)
        self.append_wall_ms = append_wall_ms
        self._tell_hooks(last_offset)
        changes = image.take_changes()
        if changes.handed_over:
            for listener in self.handed_over_listeners:
                listener(changes.handed_over, append_wall_ms)
        if changes and self._listeners:
            return self._tell(changes, last_offset)
        self._applied(last_offset)
        return None

    def on_snapshot(
        self, snapshot_id: SnapshotId, records: Sequence[Message], append_wall_ms: int
    ) -> Awaitable[object] | None:
        """Replace the image. Raises DamagedMetadataError."""
        self.append_wall_ms = append_wall_ms
        if len(records) <= RECORDS_PER_SLICE and not self._listeners:
            image = ClusterImage(self.image.cluster_id)
            for record in records:
                image.apply(record, snapshot_id.end_offset - 1)
            self._replace(image, snapshot_id)
            self._applied(snapshot_id.end_offset - 1)
            return None
        return self._load(snapshot_id, records)

    # --- inside -------------------------------------------------------------------------------

    async def _load(self, snapshot_id: SnapshotId, records: Sequence[Message]) -> None:
        image = ClusterImage(self.image.cluster_id)
        last_offset = snapshot_id.end_offset - 1
        for start in range(0, len(records), RECORDS_PER_SLICE):
            for record in records[start : start + RECORDS_PER_SLICE]:
                image.apply(record, last_offset)
            await asyncio.sleep(0)
        await self._tell(self._replace(image, snapshot_id), last_offset)

    def _replace(self, image: ClusterImage, snapshot_id: SnapshotId) -> Changes:
        image.pass_over(snapshot_id.end_offset - 1, snapshot_id.epoch)
        image.take_changes()
        old, self.image = self.image, image
        self._tell_hooks(snapshot_id.end_offset - 1)
        return changes_between(old, image)

    def _tell_hooks(self, offset: int) -> None:
        if self._env is not None and (hooks := self._env.hooks) is not None:
            hooks.on("metadata-applied", offset=offset, image=self.image)

    async def _tell(self, changes: Changes, last_offset: int) -> None:
        if self._wants_trouble("metadata-late"):
            await asyncio.sleep(LATE_S)
        if changes:
            one_by_one = self._wants_trouble("metadata-one-by-one")
            for part in changes.slices(1 if one_by_one else PARTITIONS_PER_SLICE):
                for listener in self._listeners:
                    listener(self.image, part)
                await asyncio.sleep(0)
        self._applied(last_offset)

    def _wants_trouble(self, name: str) -> bool:
        return self._env is not None and self._env.maybe(name)

    def _applied(self, last_offset: int) -> None:
        self.applied_offset = last_offset
        while self._waiting and self._waiting[0][0] <= last_offset:
            waiting = heapq.heappop(self._waiting)[2]
            if not waiting.done():
                waiting.set_result(None)
        for listener in self.applied_listeners:
            listener(last_offset)
