"""The group coordinator of a broker: which groups are here, and how requests reach them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from barnabas.protocol.compression import Codec

from ...core.cluster.changes import Changes
from ...core.cluster.image import ClusterImage
from ...core.cluster.topic_image import GROUPS_TOPIC
from ...core.coordination.groups.classic.weights import TotalWeight
from ...core.coordination.groups.consumer.pace import EarlyBeats
from ...core.coordination.groups.group import Group
from ...core.coordination.groups.group_machine import GroupMachine
from ...core.coordination.groups.surroundings import GroupSurroundings
from ...core.coordination.loaded_batch import GROUP_RECORDS
from ...core.coordination.machine import Outcome, ShardTimers
from ...core.coordination.shard_writer import ShardRules
from ...core.coordination.timeline import Timeline, TimelineDict
from ...core.replication.end_markers import EndMarker
from ...core.replication.partition import Partition
from ...serving.coordinators import Parking
from .led_shards import LedShards, ShardKind
from .services import CoordinatorServices

ResultT = TypeVar("ResultT")


class GroupCoordinator:
    """`Groups` of serving/context.py, over the partitions that this broker leads."""

    def __init__(self, node: CoordinatorServices) -> None:
        self._node = node
        config = node.config
        rules = ShardRules(
            config.group_coordinator_append_linger_ms,
            config.offsets_commit_timeout_ms,
            Codec(config.offsets_topic_compression_codec),
        )
        kind = ShardKind(
            GROUPS_TOPIC,
            "GroupCoordinator",
            rules,
            GROUP_RECORDS,
            config.offsets_load_buffer_size,
            self._machine,
        )
        self._weight = TotalWeight()
        self._early_beats = EarlyBeats()
        self.shards: LedShards[GroupMachine] = LedShards(node, kind)

    # --- `Groups` -----------------------------------------------------------------------------

    async def write(
        self, group_id: str, decide: Callable[[GroupMachine], Outcome[ResultT]]
    ) -> ResultT:
        """Decide in the shard of this group; see `Groups`."""
        return await self.shards.write(group_id, decide)

    async def park(self, group_id: str, decide: Parking[ResultT]) -> ResultT:
        """The same for an answer that the state machine gives itself; see `Groups`."""
        return await self.shards.park(group_id, decide)

    async def read(
        self,
        group_id: str,
        look: Callable[[GroupMachine, int], ResultT],
        *,
        may_be_old: bool = False,
    ) -> ResultT:
        """Read what is committed in the shard of this group; see `Groups`."""
        return await self.shards.read(group_id, look, may_be_old=may_be_old)

    async def read_all(self, look: Callable[[GroupMachine, int], ResultT]) -> list[ResultT]:
        """Read what is committed in each shard that this broker leads; see `Groups`."""
        return await self.shards.read_all(look)

    async def end_transaction(self, number: int, marker: EndMarker) -> None:
        """Write a marker into this partition, with what it decides; see `Groups`."""
        await self.shards.end_transaction(number, marker)

    # --- life ---------------------------------------------------------------------------------

    def start(self) -> None:
        """Load the shards of the partitions that this broker leads already."""
        self.shards.start()

    async def stop(self) -> None:
        """Refuse all who wait (CRT-18), and end all loads."""
        await self.shards.stop()

    def on_image(self, image: ClusterImage, changes: Changes) -> None:
        """A listener of the metadata, told after the `ReplicaStore`."""
        self.shards.on_image(image, changes)
        known = image.topics_by_id
        changed = [known[one].name for one in changes.partitions if one in known]
        deleted = {one.name: one.topic_id for one in changes.removed_topics.values()}
        if changed or deleted:
            for machine in self.shards.machines():
                machine.on_metadata(changed, deleted)

    def figures(self) -> dict[str, float]:
        """Metrics by name."""
        return self.shards.figures()

    def _machine(
        self, timeline: Timeline, timers: ShardTimers, partition: Partition
    ) -> GroupMachine:
        del partition
        node = self._node
        groups: TimelineDict[str, Group] = TimelineDict(timeline)
        around = GroupSurroundings(
            env=node.env,
            config=node.config,
            image=lambda: node.image,
            timeline=timeline,
            timers=timers,
            groups=groups,
            report=lambda event, fields: node.log.info(event, **fields),
            weight=self._weight,
            early_beats=self._early_beats,
        )
        return GroupMachine(around)
