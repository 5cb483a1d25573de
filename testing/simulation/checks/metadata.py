"""The metadata as nodes apply it: I-10, I-14 to I-16, I-22; and the quorum: I-1, I-7, I-8."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from barnabas.testing.simulation.events import Event
from barnabas.testing.simulation.hooks import HookBus, InvariantError

from .replica_logs import METADATA_TOPIC, ReplicaLogs

if TYPE_CHECKING:
    from barnabas.broker.core.cluster.image import ClusterImage
    from barnabas.broker.core.cluster.topic_image import PartitionImage, TopicImage
    from barnabas.testing.simulation.disk import SimulatedDisk

HASHED_OF = 16
"""One offset in so many is compared between the images of all nodes."""


class AppliedMetadata:
    """Listens to what nodes apply and who leads the quorum."""

    def __init__(
        self,
        bus: HookBus,
        logs: ReplicaLogs,
        live_replicas: Callable[[str], Iterable[int]],
        disk_of: Callable[[str], SimulatedDisk],
    ) -> None:
        """`live_replicas`: whom a node, as the quorum's leader, has heard of in a session's time;
        nobody if it does not lead."""
        self._disk_of = disk_of
        self._logs = logs
        self._live_replicas = live_replicas
        self._applied: dict[tuple[str, int], int] = {}
        self._hashes: dict[int, tuple[str, int]] = {}
        self._epochs: dict[tuple[bytes, int], tuple[int, int]] = {}
        self._names: dict[bytes, str] = {}
        self._checked = -1
        self._leaders: dict[int, str] = {}
        self._producer_id = 0
        self._quorum_epochs: dict[tuple[str, int], int] = {}
        """By node, and how often its disk was replaced."""
        self._high_watermarks: dict[tuple[str, int], int] = {}
        bus.listen("metadata-applied", self._on_applied)
        bus.listen("elected", self._on_elected)
        bus.listen("epoch", self._on_epoch)
        bus.listen("quorum-hw", self._on_high_watermark)
        bus.listen("log-start", self._on_log_start)

    # --- the quorum ---------------------------------------------------------------------------

    def _on_elected(self, event: Event) -> None:
        epoch = event.fields["epoch"]
        known = self._leaders.setdefault(epoch, event.node)
        if known != event.node:
            raise InvariantError("I-1", f"quorum epoch {epoch}: {event.node} and {known} lead")

    def _on_epoch(self, event: Event) -> None:
        epoch = event.fields["epoch"]
        disk = event.node, self._disk_of(event.node).replaced  # whose disk goes forgets its votes
        known = self._quorum_epochs.get(disk, -1)
        if epoch < known:
            raise InvariantError("I-8", f"{event.node} writes quorum epoch {epoch} after {known}")
        self._quorum_epochs[disk] = epoch

    def _on_high_watermark(self, event: Event) -> None:
        key = (event.node, event.incarnation)
        high_watermark = event.fields["high_watermark"]
        known = self._high_watermarks.get(key, -1)
        if high_watermark < known:
            raise InvariantError(
                "I-7", f"{event.node}: quorum watermark {high_watermark} after {known}"
            )
        self._high_watermarks[key] = high_watermark

    def _on_log_start(self, event: Event) -> None:
        """I-14: a metadata log that begins later than 0 begins where a snapshot reaches."""
        log = event.fields["log"]
        if log.topic != METADATA_TOPIC:
            return
        names = log.env.disk.list_directory(log.directory)
        ends = [int(name.split("-")[0]) for name in names if name.endswith(".checkpoint")]
        start, newest = log.log_start_offset, max(ends, default=0)
        if start > newest:
            raise InvariantError(
                "I-14", f"{event.node}: the log begins at {start}, its newest snapshot at {newest}"
            )
        if start > 0:
            self._check_gate(event.node, start)

    def _check_gate(self, node: str, start: int) -> None:
        """I-15, 630-07: a leader lets go what all live replicas have."""
        for node_id in self._live_replicas(node):
            held = self._logs.of(f"node-{node_id}", (METADATA_TOPIC, 0))
            if held is None or max(held.end, held.had) < start:
                end = None if held is None else held.end
                raise InvariantError(
                    "I-15",
                    f"{node} lets go all before {start}; node {node_id} lives and ends at {end}",
                )

    # --- images -------------------------------------------------------------------------------

    def _on_applied(self, event: Event) -> None:
        offset, image = event.fields["offset"], event.fields["image"]
        key = (event.node, event.incarnation)
        known = self._applied.get(key, -1)
        if offset < known:
            raise InvariantError("I-16", f"{event.node} applies {offset} after {known}")
        self._applied[key] = offset
        if image.last_offset == offset and zlib.crc32(b"%d" % offset) % HASHED_OF == 0:
            self._compare(event.node, offset, image)
        if offset > self._checked and image.last_offset == offset:
            self._checked = offset
            self._check(image, offset)

    def _compare(self, node: str, offset: int, image: ClusterImage) -> None:
        """Equal offsets, equal images."""
        digest = zlib.crc32("\n".join(sorted(map(repr, image.records()))).encode())
        known = self._hashes.setdefault(offset, (node, digest))
        if known[1] != digest:
            raise InvariantError(
                "I-16", f"at offset {offset} {node} has another image than {known[0]}"
            )

    def _check(self, image: ClusterImage, offset: int) -> None:
        if image.next_producer_id < self._producer_id:
            raise InvariantError(
                "I-22",
                f"offset {offset}: next producer id {image.next_producer_id} after"
                f" {self._producer_id}",
            )
        self._producer_id = image.next_producer_id
        for topic_id, topic in image.topics_by_id.items():
            if self._names.setdefault(topic_id, topic.name) != topic.name:
                raise InvariantError(
                    "I-22", f"topic id {topic_id.hex()}: {self._names[topic_id]}, {topic.name}"
                )
            for index, partition in topic.partitions.items():
                self._check_partition(image, topic, index, partition)

    def _check_partition(
        self, image: ClusterImage, topic: TopicImage, index: int, partition: PartitionImage
    ) -> None:
        """I-10: the in-sync set is what it says."""
        where = f"{topic.name}-{index}"
        isr, leader = partition.isr, partition.leader
        if not set(isr) <= set(partition.replicas) or len(set(isr)) != len(isr):
            raise InvariantError("I-10", f"{where}: ISR {isr} of replicas {partition.replicas}")
        if leader >= 0 and leader not in isr:
            raise InvariantError("I-10", f"{where}: leader {leader} is not in the ISR {isr}")
        if len(isr) > 1:
            for member in isr:
                broker = image.brokers.get(member)
                if broker is None or broker.fenced:
                    raise InvariantError(
                        "I-10", f"{where}: broker {member} of the ISR {isr} is {state_of(broker)}"
                    )
        now = (partition.leader_epoch, partition.partition_epoch)
        known = self._epochs.get((topic.topic_id, index), (-1, -1))
        if now[0] < known[0] or now[1] < known[1]:
            raise InvariantError("I-10", f"{where}: (leader, partition) epoch {now} after {known}")
        self._epochs[topic.topic_id, index] = now


def state_of(broker: Any) -> str:
    """For messages."""
    return "not registered" if broker is None else "fenced"
