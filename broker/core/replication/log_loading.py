"""The logs that a node finds on its disks when it starts: which to open, and what follows.

Opening a log may take minutes (recovery) and may be done on a thread, while the metadata changes.
So the image is asked twice about a folder: before its log is opened, and when all are open.
"""

from __future__ import annotations

from collections.abc import Iterable

from barnabas.protocol.errors import KafkaError

from ..cluster.image import ClusterImage
from ..cluster.topic_image import PartitionImage, TopicImage
from ..config.topic import TopicConfig
from ..log.failures import DamagedLogError
from ..log.file_names import partition_folder
from ..log.found_partition import FoundPartition
from ..log.log_directory import LogDirectory
from ..log.partition_log import PartitionLog
from ..log.recovery_watch import RecoveryWatch
from .directories import named_directory
from .future_replica import FutureReplica
from .replica_store import ReplicaStore


class LogOpening:
    """One folder whose log is to be opened. `run` is for any thread, and is called once."""

    __slots__ = ("_config", "_topic_id", "directory", "error", "found", "log", "watch")

    def __init__(
        self, directory: LogDirectory, found: FoundPartition, config: TopicConfig, topic_id: bytes
    ) -> None:
        self.directory = directory
        self.found = found
        self._config = config
        self._topic_id = topic_id
        self.watch = RecoveryWatch()
        self.log: PartitionLog | None = None
        """Set by `run`, or"""
        self.error: Exception | None = None
        """why there is none."""

    def run(self) -> None:
        """Open the log; what the disk refuses is kept in `error`. Raises RecoveryStoppedError."""
        try:
            self.log = self.directory.open_log(self.found, self._config, self._topic_id, self.watch)
        except (OSError, DamagedLogError, KafkaError) as error:
            self.error = error  # KafkaError: a batch that is damaged; the others are to be served


class LogLoader:
    """All folders of a node: `openings` of each directory, `run` of each, and `finish`.

    `load` does the three in one go, where nothing else has to go on meanwhile.
    """

    def __init__(self, store: ReplicaStore) -> None:
        self._store = store
        self._openings: dict[tuple[str, int], LogOpening] = {}
        self._futures: dict[tuple[str, int], LogOpening] = {}
        """Of copies that were on their way to take a replica's place (KIP-113)."""

    def load(self, image: ClusterImage) -> None:
        """Open all that is on disk, and make what the image has and we lack: all here and now.

        Raises OSError if a directory cannot be listed.
        """
        for directory in self._store.directories:
            for opening in self.openings(image, directory, directory.partitions()):
                opening.run()
        self.finish(image)

    def openings(
        self, image: ClusterImage, directory: LogDirectory, found: Iterable[FoundPartition]
    ) -> list[LogOpening]:
        """What is to be opened of one directory; other folders are set aside, or left alone."""
        openings = []
        for folder in found:
            topic = self._topic_of(image, folder)
            known = self._futures if folder.is_future else self._openings
            if topic is None or self._is_left_over(topic, directory, folder):
                self._set_aside(directory, folder)
            elif folder.key in known:
                self._store.report("partition found twice", {"folder": folder.folder})
            else:
                config = self._store.config_of(image, topic.name)
                opening = LogOpening(directory, folder, config, topic.topic_id)
                known[folder.key] = opening
                openings.append(opening)
        return openings

    def finish(self, image: ClusterImage) -> None:
        """Serve what was opened, as `image` says now, and make what is not there."""
        store = self._store
        store.see(image)
        for opening in self._openings.values():
            found, log = opening.found, opening.log
            topic = self._topic_of(image, found)
            if topic is None:
                # By the present metadata it no longer belongs here.
                if log is not None:
                    log.close(clean=False)
                self._set_aside(opening.directory, found)
            elif log is None:
                assert opening.error is not None, "it was run"
                store.make_unavailable(topic.name, found.partition, opening.error)
            else:
                opening.directory.adopt(found, log)
                store.add_opened(topic, log, store.config_of(image, topic.name))
        left = [one for one in self._futures.values() if not self._take_over(image, one)]
        store.begin()
        for opening in left:
            self._go_on(image, opening)

    def _take_over(self, image: ClusterImage, opening: LogOpening) -> bool:
        """Serve a future log at once, if only its last name is missing; False if it is not so.

        The power failed between two names: that of the former log was given already. The metadata
        has named this directory by then.
        """
        found, log, store = opening.found, opening.log, self._store
        topic = self._topic_of(image, found)
        if topic is None or log is None or found.key in self._openings:
            return False
        assigned = topic.partitions[found.partition]
        if self._named(assigned) is not opening.directory:
            return False
        opening.directory.adopt(found, log)
        try:
            opening.directory.promote(found.key)
        except OSError as error:
            store.make_unavailable(topic.name, found.partition, log.fail("renaming", error))
            return True
        store.report("a log takes the place of one that is gone", {"log": log.directory})
        store.add_opened(topic, log, store.config_of(image, topic.name))
        return True

    def _go_on(self, image: ClusterImage, opening: LogOpening) -> None:
        """A future log goes on following the replica's; its folder goes if that is here as well."""
        found, log, store = opening.found, opening.log, self._store
        topic = self._topic_of(image, found)
        partition = None if topic is None else store.get(topic.name, found.partition)
        if topic is None:
            if log is not None:
                log.close(clean=False)
            self._set_aside(opening.directory, found)
        elif log is None or partition is None:
            # One of the two disks failed: both folders stay as they are for the next start.
            if log is not None:
                log.close(clean=False)
            store.report("a future log is left alone", {"log": found.folder})
        else:
            source = store.directory_of(partition)
            if source is opening.directory:
                log.close(clean=False)
                self._set_aside(opening.directory, found)
                return
            opening.directory.adopt(found, log)
            store.moves.go_on(FutureReplica(partition, source, opening.directory, log))

    def give_up(self) -> None:
        """The node stops before all logs were opened: close those that are open."""
        for opening in (*self._openings.values(), *self._futures.values()):
            if opening.log is not None:
                opening.log.close(clean=False)

    def _topic_of(self, image: ClusterImage, found: FoundPartition) -> TopicImage | None:
        """The topic that a folder belongs to, by id, or by name if the folder has no id.

        None if the cluster knows no such partition, or has it elsewhere.
        """
        if any(found.topic_id):
            topic = image.topics_by_id.get(found.topic_id)
        else:
            topic = image.topics_by_name.get(found.topic)
        assigned = None if topic is None else topic.partitions.get(found.partition)
        return topic if assigned and self._store.node_id in assigned.replicas else None

    def _is_left_over(
        self, topic: TopicImage, directory: LogDirectory, found: FoundPartition
    ) -> bool:
        """The replica was moved from here: the power failed before this folder was renamed.

        The directory that the metadata names has it too, by the same name.
        """
        named = self._named(topic.partitions[found.partition])
        if found.is_future or named is None or named is directory:
            return False
        name = partition_folder(*found.key)
        return named.env.disk.is_directory(f"{named.path}/{name}")

    def _named(self, assigned: PartitionImage) -> LogDirectory | None:
        return named_directory(self._store.directories, assigned, self._store.node_id)

    def _set_aside(self, directory: LogDirectory, found: FoundPartition) -> None:
        renamed = directory.set_aside(found)
        self._store.report("folder of an unknown partition set aside", {"folder": renamed})
