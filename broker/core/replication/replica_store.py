"""The partitions that this broker hosts, as the cluster's metadata says.

`on_image` listens to the metadata: it creates, changes and deletes local partitions, and nothing
else does. A folder that the cluster does not know is set aside, and never served or deleted
(516-01).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ..cluster.changes import Changes
from ..cluster.effective import config_of_topic
from ..cluster.image import RESOURCE_BROKER, RESOURCE_TOPIC, ClusterImage
from ..cluster.topic_image import INTERNAL_TOPICS, PartitionImage, TopicImage
from ..config.broker import BrokerConfig
from ..config.topic import TopicConfig
from ..log.failures import LogDirectoryFailure
from ..log.log_directory import LogDirectory
from ..log.partition_log import PartitionLog
from ..log.recovery import RecoveryReport
from .broker_view import ImageView
from .directories import directory_for
from .former_leaders import CLOCKS_APART
from .partition import FlushQueue, FollowerPort, Partition, PartitionPorts
from .replica_moves import ReplicaMoves
from .replica_selector import ReplicaSelector, built_in_selector
from .surroundings import IsrPort, Surroundings

OnOffline = Callable[[Partition, LogDirectoryFailure], object]
"""Called when the disk refuses something of a replica, to tell the controller."""

Report = Callable[[str, dict[str, object]], object]
"""Event and its fields, for the node's log."""


class ReplicaStore:
    """Local partitions by name and by topic id."""

    def __init__(
        self,
        node_id: int,
        config: BrokerConfig,
        directories: Sequence[LogDirectory],
        *,
        flushes: FlushQueue,
        report: Report,
    ) -> None:
        self.node_id = node_id
        self._config = config
        self.directories = list(directories)
        self.report = report
        self.moves = ReplicaMoves(report, flushes)
        """Replicas on their way to another directory."""
        self._read_through: list[RecoveryReport] = []
        """Of logs in which nothing was wrong, until they are told of together."""
        self._view = ImageView()
        self.surroundings = Surroundings(
            node_id,
            self.directories[0].env,
            cluster=self._view,
            lag_time_max_ms=config.replica_lag_time_max_ms,
            keeps_pending_in_sync=config.follower_fetch_pending_reads_insync_enable,
            former_lease_ms=config.leader_metadata_staleness_max_ms * CLOCKS_APART,
        )
        self.ports = PartitionPorts(flushes, self._on_failure)
        self.by_name: dict[str, dict[int, Partition]] = {}
        self.by_wire_name: dict[bytes, dict[int, Partition]] = {}
        """The partitions by the topic name's bytes, for the hot path, which decodes no text;
        without internal topics, which no client writes to (REC-05)."""
        self.by_wire_id: dict[bytes, dict[int, Partition]] = {}
        """The same by the topic's id (516-01)."""
        self.by_id: dict[bytes, dict[int, Partition]] = {}
        self.unavailable: dict[tuple[str, int], str] = {}
        """Replicas that should be here and whose disk failed before they could be opened."""
        self.selector = built_in_selector(config.replica_selector_class)
        """Which replica consumers are sent to (392-04); None: they stay where they are."""
        self._on_offline: OnOffline = _nobody_to_tell
        self._told_offline: dict[str, object] = {}
        """By name: the log whose failure was logged."""

    def connect(
        self,
        fetchers: FollowerPort,
        isr: IsrPort,
        on_offline: OnOffline,
        selector: ReplicaSelector | None = None,
    ) -> None:
        """Say who works for the replicas; before that nobody fetches and nobody is told.

        They are made with this store, so they cannot be there when it is. `selector`: one that is
        none of the built-in ones, and takes their place.
        """
        self.ports.fetchers = fetchers
        self.surroundings.isr = isr
        self._on_offline = on_offline
        self.selector = selector or self.selector

    # --- finding ------------------------------------------------------------------------------

    def get(self, topic: str, partition: int) -> Partition | None:
        """The local replica, if this broker hosts one."""
        found = self.by_name.get(topic)
        return None if found is None else found.get(partition)

    def get_by_id(self, topic_id: bytes, partition: int) -> Partition | None:
        """The same by topic id."""
        found = self.by_id.get(topic_id)
        return None if found is None else found.get(partition)

    def holds(self, partition: Partition) -> bool:
        """Whether this very replica is served, and not one that was deleted."""
        found = self.by_id.get(partition.topic_id)
        return found is not None and found.get(partition.index) is partition

    def __iter__(self) -> Iterator[Partition]:
        for partitions in self.by_name.values():
            yield from partitions.values()

    def __len__(self) -> int:
        return sum(map(len, self.by_name.values()))

    def directory_of(self, partition: Partition) -> LogDirectory:
        """The log directory that holds this replica."""
        key = (partition.topic, partition.index)
        return next(found for found in self.directories if found.logs.get(key) is partition.log)

    # --- start --------------------------------------------------------------------------------

    def see(self, image: ClusterImage) -> None:
        """Take this image of the metadata as the present one."""
        self._view.image = image

    def begin(self) -> None:
        """All folders were opened: take all roles, and create the replicas that are missing."""
        image = self._view.image
        assert image is not None, "see it first"
        self._tell_read_through()
        for topic in image.topics_by_id.values():
            for number in topic.partitions:
                self._apply(image, topic, number)

    def _tell_read_through(self) -> None:
        """One line for all logs in which nothing was wrong: after a crash that is every log."""
        reports, self._read_through = self._read_through, []
        if reports:
            segments = sum(len(each.recovered) for each in reports)
            leftovers = sum(len(each.removed) for each in reports)
            self.report(
                "logs were not closed cleanly; read through, nothing was wrong",
                {"logs": len(reports), "segments_read": segments, "leftovers": leftovers},
            )

    def add_opened(self, topic: TopicImage, log: PartitionLog, config: TopicConfig) -> None:
        """Serve a log that was opened, in the role that `begin` gives it."""
        if log.report.cuts or log.report.notes:
            self.report("log recovered", {"log": log.name, **_fields_of(log.report)})
        elif not log.report.is_empty:
            self._read_through.append(log.report)
        self._add(
            Partition(
                topic.name,
                topic.topic_id,
                log.partition,
                log=log,
                config=config,
                around=self.surroundings,
                ports=self.ports,
            )
        )

    # --- what the cluster decides -------------------------------------------------------------

    def on_image(self, image: ClusterImage, changes: Changes) -> None:
        """Make the local partitions what `image` says; `changes` tells where to look."""
        self._view.image = image
        for topic in changes.removed_topics.values():
            self._remove(topic)
        for topic_id, numbers in changes.partitions.items():
            changed = image.topics_by_id.get(topic_id)
            if changed is not None:
                for number in numbers:
                    self._apply(image, changed, number)
        if changes.brokers:
            for partition in self:
                if partition.leader is not None:
                    partition.leader.on_brokers_changed()
        self._configure(image, changes)

    def _configure(self, image: ClusterImage, changes: Changes) -> None:
        for kind, name in changes.configs:
            if kind == RESOURCE_TOPIC:
                self.update_config(name, self.config_of(image, name))
            elif kind == RESOURCE_BROKER:
                for topic_name in self.by_name:
                    self.update_config(topic_name, self.config_of(image, topic_name))

    def _remove(self, topic: TopicImage) -> None:
        for partition in list(self.by_id.get(topic.topic_id, {}).values()):
            self.delete(partition)
        for number in topic.partitions:
            self.unavailable.pop((topic.name, number), None)

    def config_of(self, image: ClusterImage, topic: str) -> TopicConfig:
        """A topic's settings: its own, else those of this broker."""
        return config_of_topic(self._config, image, self.node_id, topic)

    def _apply(self, image: ClusterImage, topic: TopicImage, number: int) -> None:
        assigned = topic.partitions[number]
        partition = self.get_by_id(topic.topic_id, number)
        if self.node_id not in assigned.replicas:
            self.unavailable.pop((topic.name, number), None)
            if partition is not None:
                self.delete(partition)
            return
        if partition is None:
            partition = self._create(image, topic, number, assigned)
        if partition is not None:
            self._set_leader(partition, assigned)

    def catch_up(self, partition: Partition) -> None:
        """Take the leader that the metadata names now, if `on_image` has not reached this one yet.

        A change of many partitions is acted on in slices. A client that was told by another broker
        that this one leads must not be refused because its slice comes a moment later (951-07).
        """
        image = self._view.image
        topic = None if image is None else image.topics_by_id.get(partition.topic_id)
        assigned = None if topic is None else topic.partitions.get(partition.index)
        if (
            assigned is not None
            and assigned.leader_epoch > partition.leader_epoch
            and self.node_id in assigned.replicas
        ):
            self._set_leader(partition, assigned)

    def _set_leader(self, partition: Partition, assigned: PartitionImage) -> None:
        if assigned.leader != self.node_id:
            partition.follow(assigned.leader, assigned.leader_epoch)
            return
        try:
            partition.lead(assigned)
        except LogDirectoryFailure as failure:
            partition.on_disk_failure(failure)

    def _create(
        self, image: ClusterImage, topic: TopicImage, number: int, assigned: PartitionImage
    ) -> Partition | None:
        if (topic.name, number) in self.unavailable:
            return None
        former = self.get(topic.name, number)
        if former is not None:
            # 516-01: a new topic has this name; nothing of the old one is served under it.
            self.delete(former)
        config = self.config_of(image, topic.name)
        wish = self.moves.take_wish((topic.name, number))
        if wish is not None and not wish.failures:
            directory = wish
        else:
            directory = directory_for(self.directories, assigned, self.node_id)
        try:
            log = directory.create(topic.name, number, topic.topic_id, config)
        except OSError as error:
            self.make_unavailable(topic.name, number, error)
            return None
        partition = Partition(
            topic.name,
            topic.topic_id,
            number,
            log=log,
            config=config,
            around=self.surroundings,
            ports=self.ports,
        )
        self._add(partition)
        return partition

    def _add(self, partition: Partition) -> None:
        partitions = self.by_name.setdefault(partition.topic, {})
        if partition.topic not in INTERNAL_TOPICS:
            self.by_wire_name[partition.topic.encode()] = partitions
            self.by_wire_id[partition.topic_id] = partitions
        self.by_id[partition.topic_id] = partitions
        partitions[partition.index] = partition

    def delete(self, partition: Partition) -> None:
        """Take a replica away: its folder is renamed now and removed after a delay."""
        partitions = self.by_id[partition.topic_id]
        del partitions[partition.index]
        if not partitions:
            del self.by_id[partition.topic_id]
            del self.by_name[partition.topic]
            self.by_wire_name.pop(partition.topic.encode(), None)
            self.by_wire_id.pop(partition.topic_id, None)
        self.moves.cancel(partition)
        directory = self.directory_of(partition)
        partition.retire()
        try:
            directory.delete(partition.topic, partition.index)
        except OSError as error:
            self.report(
                "a deleted partition's folder could not be renamed",
                {"log": partition.log.name, "error": str(error)},
            )

    def update_config(self, topic: str, config: TopicConfig) -> None:
        """New settings of a topic; no effect if none of its partitions is here."""
        for partition in self.by_name.get(topic, {}).values():
            partition.configure(config)

    # --- failing disks ------------------------------------------------------------------------

    def make_unavailable(self, topic: str, partition: int, error: Exception) -> None:
        """The disk failed before this replica could be opened."""
        self.unavailable[(topic, partition)] = str(error)
        self.report(
            "partition is offline",
            {"topic": topic, "partition": partition, "error": str(error)},
        )

    def _on_failure(self, partition: Partition, failure: LogDirectoryFailure) -> None:
        if not self.holds(partition):
            return  # deleted while its disk was at work; who else is on that disk will find out
        self._on_offline(partition, failure)
        if self._told_offline.get(partition.log.name) is partition.log:
            return  # each request that still comes fails anew: one line is enough
        self._told_offline[partition.log.name] = partition.log
        self.report(
            "log is offline: it takes no more records until the node is started again",
            {"log": partition.log.name, "error": str(failure)},
        )


def _nobody_to_tell(partition: Partition, failure: LogDirectoryFailure) -> None:
    """Report to nobody: there is only one broker, or the node has not started yet."""


def _fields_of(report: RecoveryReport) -> dict[str, object]:
    """What a log line says of a recovery: what was cut and rebuilt by name, the rest counted."""
    fields: dict[str, object] = {
        "segments_read": len(report.recovered),
        "cut": [str(cut) for cut in report.cuts],
        "rebuilt": report.notes,
        "leftovers_removed": len(report.removed),
    }
    return {name: value for name, value in fields.items() if value}
