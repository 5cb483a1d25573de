"""What an operator reads at level info: who leads, which topics and brokers come and go, and what
became of this node's partitions, in one line for all that happened at once.

A broker that dies takes its part in thousands of partitions with it. So changes are counted for a
moment, and told together.
"""

from __future__ import annotations

import asyncio
from typing import Final

from ..core.cluster.broker_image import BrokerImage
from ..core.cluster.changes import Changes
from ..core.cluster.image import ClusterImage
from ..core.cluster.topic_image import PartitionImage
from ..core.raft.messages import LeaderAndEpoch
from ..observe.logging import Logger

GATHER_S: Final = 0.25
"""Changes within this time share one line."""
NAMES_MAX: Final = 5
"""A line names this many topics or partitions; of the rest it tells the number."""

Partitions = dict[bytes, dict[int, "PartitionImage"]]


class ClusterLog:
    """Listens to the metadata of the cluster; `node_id` is that of this node."""

    def __init__(self, node_id: int, log: Logger) -> None:
        self._node_id = node_id
        self._log = log
        self._own: Partitions = {}
        """Partitions with a replica here, as they were at their last change."""
        self._brokers: dict[int, str] = {}
        self._counts: dict[str, int] = {}
        self._changed: list[str] = []
        self._created: list[str] = []
        self._deleted: list[str] = []
        self._timer: asyncio.TimerHandle | None = None

    def begin(self, image: ClusterImage) -> None:
        """Remember the present state; only later changes are logged."""
        self._brokers = {each: state_of(broker) for each, broker in image.brokers.items()}
        for topic_id, topic in image.topics_by_id.items():
            for number, partition in topic.partitions.items():
                self._remember(topic_id, number, partition)

    def on_leader(self, leader: LeaderAndEpoch) -> None:
        """Another controller is active, or none is."""
        if leader.leader_id < 0:
            if leader.epoch > 0:  # otherwise nobody has been elected so far
                self._log.info("no controller is active", epoch=leader.epoch)
        else:
            own = leader.leader_id == self._node_id
            name = "this node is the active controller" if own else "another controller is active"
            self._log.info(name, controller=leader.leader_id, epoch=leader.epoch)

    def on_image(self, image: ClusterImage, changes: Changes) -> None:
        """Committed records were applied."""
        for broker_id in changes.brokers:
            self._look_at_broker(broker_id, image.brokers.get(broker_id))
        for topic_id, gone in changes.removed_topics.items():
            self._deleted.append(gone.name)
            self._own.pop(topic_id, None)
        for topic_id in changes.topics:
            if (found := image.topics_by_id.get(topic_id)) is not None:
                self._created.append(found.name)
        for topic_id, numbers in changes.partitions.items():
            if (topic := image.topics_by_id.get(topic_id)) is None:
                continue
            for number in numbers:
                if (partition := topic.partitions.get(number)) is not None:
                    self._look_at_partition(topic_id, f"{topic.name}-{number}", number, partition)
        if self._timer is None and (self._counts or self._created or self._deleted):
            self._timer = asyncio.get_running_loop().call_later(GATHER_S, self.tell)

    def tell(self) -> None:
        """Write the lines for the changes so far; also called when a node stops."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        for event, names in (("topics created", self._created), ("topics deleted", self._deleted)):
            if names:
                self._log.info(event, count=len(names), topics=shortened(names))
                names.clear()
        if self._counts:
            counts, self._counts = self._counts, {}
            names, self._changed = self._changed, []
            write = self._log.warning if "without_leader" in counts else self._log.info
            write("partitions of this node changed", **counts, partitions=shortened(names))

    # --- inside -------------------------------------------------------------------------------

    def _look_at_broker(self, broker_id: int, broker: BrokerImage | None) -> None:
        before = self._brokers.get(broker_id, "unknown")
        state = "unregistered" if broker is None else state_of(broker)
        if state == before:
            return
        self._brokers[broker_id] = state
        if broker is None:
            del self._brokers[broker_id]
        self._log.info("broker changed", broker=broker_id, state=state, before=before)

    def _look_at_partition(
        self, topic_id: bytes, name: str, number: int, after: PartitionImage
    ) -> None:
        before = self._own.get(topic_id, {}).get(number)
        self._remember(topic_id, number, after)
        if before is None:
            return
        words = differences(before, after, self._node_id)
        for word in words:
            self._counts[word] = self._counts.get(word, 0) + 1
        if words:
            self._changed.append(name)

    def _remember(self, topic_id: bytes, number: int, partition: PartitionImage) -> None:
        if self._node_id in partition.replicas:
            self._own.setdefault(topic_id, {})[number] = partition
        elif topic_id in self._own:
            self._own[topic_id].pop(number, None)


def differences(before: PartitionImage, after: PartitionImage, node_id: int) -> list[str]:
    """What has become of a partition, in the words of the log's fields."""
    words = []
    if after.leader != before.leader:
        if after.leader < 0:
            words.append("without_leader")
        else:
            words.append("leader_moved")
            if after.leader == node_id:
                words.append("led_here_now")
    if set(before.isr) - set(after.isr):
        words.append("in_sync_shrunk")
    if set(after.isr) - set(before.isr):
        words.append("in_sync_grown")
    if set(before.replicas) != set(after.replicas):
        words.append("replicas_changed")
    return words


def state_of(broker: BrokerImage) -> str:
    """The state of a broker: `active`, `fenced` or `shutting down`."""
    if broker.fenced:
        return "fenced"
    return "shutting down" if broker.in_controlled_shutdown else "active"


def shortened(names: list[str]) -> str:
    """The first few names, and how many more there are."""
    more = len(names) - NAMES_MAX
    return ", ".join(names[:NAMES_MAX]) + (f" and {more} more" if more > 0 else "")
