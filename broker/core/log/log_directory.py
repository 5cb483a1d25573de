"""One log directory: its partitions' folders, checkpoints, and how the node stopped.

Opened in steps that do not depend on each other (`partitions`, then `load` for each), so that a
node can answer while it loads. Kafka's directories are taken over as they are, and Kafka takes
over ours. `__cluster_metadata` belongs to the metadata quorum and is left alone here.
"""

from __future__ import annotations

from collections.abc import Hashable
from contextlib import suppress

from ..config.topic import TopicConfig
from ..ports import Env
from . import file_names
from .checkpoints import CheckpointWrite, PartitionKey
from .compaction.cleaner_offsets import CleanerOffsets
from .deletion import DeletionSchedule
from .failures import LogDirectoryFailure
from .found_partition import FoundPartition
from .identity import (
    ZERO_UUID,
    MetaProperties,
    UnfinishedFolderError,
    read_clean_shutdown,
    read_meta_properties,
    read_topic_id,
    write_clean_shutdown,
    write_topic_id,
)
from .offset_files import OffsetFiles
from .open_log import PRODUCER_EXPIRATION_MS, open_log
from .partition_log import PartitionLog
from .planted_losses import lose_what_can_be_made_again
from .recovery_watch import RecoveryWatch

DELETE_DELAY_MS = 60_000

_NOT_PARTITIONS = {file_names.CLUSTER_METADATA_FOLDER}


class LogDirectory:
    """The logs below one path."""

    def __init__(
        self, path: str, env: Env, *, producer_expiration_ms: int = PRODUCER_EXPIRATION_MS
    ) -> None:
        self.path = path
        self.env = env
        self.producer_expiration_ms = producer_expiration_ms
        self.meta: MetaProperties | None = None
        self.clean = False
        """The node stopped in good order, so logs need no check."""
        self.broker_epoch = -1
        """The broker epoch of that stop; -1 if not known."""
        self.logs: dict[PartitionKey, PartitionLog] = {}
        self.futures: dict[PartitionKey, PartitionLog] = {}
        """Copies of logs in other directories, whose place they will take (KIP-113)."""
        self.deletions = DeletionSchedule(env.disk)
        self.failures: list[LogDirectoryFailure] = []
        """Why logs went offline; while there is one, a stop is not a clean one."""
        self.notes: list[str] = []
        """What was odd in the directory: for the log of the node."""
        self._unread: set[str] | None = None
        """After a crash: folders that were not recovered yet; None, nobody has looked for them."""
        self._offsets = OffsetFiles(env.disk, path)
        self._cleaner = CleanerOffsets(env.disk, self._file(file_names.CLEANER_OFFSETS))
        self._lowered: dict[PartitionKey, dict[Hashable, int]] = {}
        """Logs that are about to be cut, and where."""
        self._in_the_way: dict[str, PartitionLog] = {}
        """Deleted logs by their folders, to which the disk refused another name."""

    # --- opening ---

    def open(self) -> None:
        """Read what concerns all logs; the marker of a clean stop is taken away.

        Raises DamagedLogError (`meta.properties` that cannot be true), OSError.
        """
        disk = self.env.disk
        disk.make_directory(self.path)
        self.meta = read_meta_properties(disk, self.path)
        self.notes += self._offsets.load(is_new=not self._has_folders())
        if reason := self._cleaner.load():
            self.notes.append(reason)
        if self.env.maybe("high-watermarks-lost"):
            self._offsets.lose_watermarks()
        epoch = read_clean_shutdown(disk, self.path)
        self.clean = epoch is not None
        self.broker_epoch = -1 if epoch is None else epoch
        if self.clean:
            # Taken away before any log is touched: a crash from here on is a crash.
            disk.remove(self._file(file_names.CLEAN_SHUTDOWN))
            disk.fsync_directory(self.path)

    def _file(self, name: str) -> str:
        return f"{self.path}/{name}"

    def _has_folders(self) -> bool:
        names = self.env.disk.list_directory(self.path)
        return any(map(file_names.parse_log_folder, set(names) - _NOT_PARTITIONS))

    def partitions(self) -> list[FoundPartition]:
        """Folders to `load`; those on their way out are scheduled for removal.

        After a stop that was not clean a folder whose `partition.metadata` never reached the disk
        is set aside: nothing in it was ever flushed.
        Raises DamagedLogError if that file cannot be true.
        """
        disk = self.env.disk
        found: list[FoundPartition] = []
        due_ms = self.env.clock.monotonic_ms() + DELETE_DELAY_MS
        for name in disk.list_directory(self.path):
            folder = self._file(name)
            if name in _NOT_PARTITIONS or not disk.is_directory(folder):
                continue
            if name.endswith(file_names.DELETED_FOLDER):
                self.deletions.add(folder, due_ms)
                continue
            parsed = file_names.parse_log_folder(name)
            if parsed is None:
                self.notes.append(f"{folder}: not a partition's folder; left alone")
                continue
            self._find(FoundPartition(folder, *parsed, ZERO_UUID), found)
        self._unread = {one.folder for one in found}
        self._cleaner.keep_only(one.key for one in found)
        return found

    def _find(self, folder: FoundPartition, found: list[FoundPartition]) -> None:
        try:
            topic_id = read_topic_id(self.env.disk, folder.folder)
        except UnfinishedFolderError as damage:
            if self.clean:
                raise
            self.notes.append(f"{damage}: the power failed before its first flush")
            self.set_aside(folder)
        else:
            folder.topic_id = topic_id
            found.append(folder)

    def load(
        self, found: FoundPartition, config: TopicConfig, topic_id: bytes = ZERO_UUID
    ) -> PartitionLog:
        """Open one partition's log and have it here. Raises OSError."""
        log = self.open_log(found, config, topic_id)
        self.adopt(found, log)
        return log

    def open_log(
        self,
        found: FoundPartition,
        config: TopicConfig,
        topic_id: bytes = ZERO_UUID,
        watch: RecoveryWatch | None = None,
    ) -> PartitionLog:
        """Open one partition's log; its high watermark is the checkpointed one.

        May be called on a thread, beside others of other folders; `adopt` comes after it.
        A folder that does not say which topic it is of is taken to be of `topic_id`, and says so
        from now on.
        Raises OSError, RecoveryStoppedError.
        """
        key = found.key
        if found.topic_id == ZERO_UUID != topic_id:
            write_topic_id(self.env.disk, found.folder, topic_id)
            found.topic_id = topic_id
        log = self._open_log(
            found.folder, key, found.topic_id, config, clean=self.clean, watch=watch
        )
        if log.log_end_offset - log.recovery_point >= log.rules.flush_messages:
            # Only what is flushed counts as written here, and a leader should know its watermark.
            with suppress(LogDirectoryFailure):
                log.flush()
        log.rest_files()
        return log

    def adopt(self, found: FoundPartition, log: PartitionLog) -> None:
        """Have a log here that was opened; its checkpoints are its own now. Raises OSError."""
        key = found.key
        is_shorter = self._offsets.recovery_point_of(key) > log.recovery_point
        (self.futures if found.is_future else self.logs)[key] = log
        self._have_read(found.folder)
        self._forget_checkpoints(key)
        if is_shorter:  # cut below what was durable: what comes instead is not, after a kill either
            self.recovery_point_write().run()
        if self._cleaner.says_too_much({key: log}, {}):  # what is appended now is dirty
            self.cleaner_write().run()

    def _open_log(
        self,
        folder: str,
        key: PartitionKey,
        topic_id: bytes,
        config: TopicConfig,
        *,
        clean: bool,
        watch: RecoveryWatch | None = None,
    ) -> PartitionLog:
        if self.env.hooks is not None:
            lose_what_can_be_made_again(self.env, folder)
            clean = clean and not self.env.maybe("clean-shutdown-lost")
        return open_log(
            folder,
            self.env,
            config,
            topic=key[0],
            partition=key[1],
            topic_id=topic_id,
            recovery_point=self._offsets.recovery_point_of(key),
            log_start_offset=self._offsets.start_of(key),
            high_watermark=self._offsets.watermark_of(key),
            clean_end=self._cleaner.of(key),
            clean=clean,
            deletions=self.deletions,
            on_failure=self.failures.append,
            producer_expiration_ms=self.producer_expiration_ms,
            watch=watch,
        )

    # --- partitions that come and go ---

    def create(
        self,
        topic: str,
        partition: int,
        topic_id: bytes,
        config: TopicConfig,
        *,
        is_future: bool = False,
    ) -> PartitionLog:
        """Make a new partition's folder, or a future one's, and open its log. Raises OSError."""
        key = (topic, partition)
        assert key not in self.logs
        assert key not in self.futures
        folder = self._file(file_names.partition_folder(topic, partition))
        if is_future:
            folder = self._file(file_names.future_folder(topic, partition, self._unique()))
        self._forget_checkpoints(key)
        self._unname(key)
        self._clear_the_way(FoundPartition(folder, topic, partition, ZERO_UUID))
        try:
            self.env.disk.make_directory(folder)
            write_topic_id(self.env.disk, folder, topic_id)
            log = self._open_log(folder, key, topic_id, config, clean=True)
        except OSError as error:
            # What was made of it stays, and no stop makes it durable.
            self.failures.append(LogDirectoryFailure(folder, "making", error))
            raise
        (self.futures if is_future else self.logs)[key] = log
        return log

    def delete(self, topic: str, partition: int, *, is_future: bool = False) -> None:
        """Take a partition away: its folder is renamed now and removed after the delay.

        Raises OSError.
        """
        log = (self.futures if is_future else self.logs).pop((topic, partition))
        self._lowered.pop((topic, partition), None)
        renamed = self._file(file_names.deleted_folder(topic, partition, self._unique()))
        log.close(clean=False)
        try:
            self.env.disk.rename(log.directory, renamed)
        except OSError:
            self._in_the_way[log.directory] = log
            raise
        log.moved_to(renamed)
        due_ms = self.env.clock.monotonic_ms() + log.rules.file_delete_delay_ms
        self.deletions.add(renamed, due_ms)

    def promote(self, key: PartitionKey) -> PartitionLog:
        """A future log becomes the partition's log here, by its folder's new name. OSError."""
        assert key not in self.logs
        log = self.futures[key]
        log.segments.close()  # no descriptor remembers the former name
        folder = self._file(file_names.partition_folder(*key))
        self._clear_the_way(FoundPartition(folder, *key, ZERO_UUID))
        self.env.disk.rename(log.directory, folder)
        log.moved_to(folder)
        self.logs[key] = self.futures.pop(key)
        return log

    def set_aside(self, found: FoundPartition) -> str:
        """Rename a folder that the cluster does not know; kept, never served. Its new path."""
        renamed = self._file(file_names.stray_folder(found.topic, found.partition, self._unique()))
        self.env.disk.rename(found.folder, renamed)
        self._have_read(found.folder)
        self._forget_checkpoints(found.key)
        self.notes.append(f"{found.folder}: not known to the cluster; renamed to {renamed}")
        return renamed

    def _clear_the_way(self, folder: FoundPartition) -> None:
        """Set aside what has this name: a replica's that could not be opened, or whose folder could
        not be renamed when it was deleted. The log that comes has nothing of it. Raises OSError."""
        if self.env.disk.exists(folder.folder):
            renamed = self.set_aside(folder)
            if (former := self._in_the_way.pop(folder.folder, None)) is not None:
                former.moved_to(renamed)  # no thread that works for it touches the new log's files

    def _forget_checkpoints(self, key: PartitionKey) -> None:
        """From here on the log itself knows, or it is gone."""
        self._offsets.forget(key)
        self._cleaner.found.pop(key, None)

    def _unname(self, key: PartitionKey) -> None:
        """Have no checkpoint speak of a log that is about to be made. Raises OSError.

        It would be of one that was deleted, and be believed after a crash: what was flushed,
        committed or deleted of that one. A replica that begins behind its leader's first records
        for that reason could lead without them. All others that are gone leave the files as well,
        so that a topic of many partitions costs one write, which may wait for one under way.
        """
        if self._offsets.may_name(key):
            self.write_checkpoints()
        if self._cleaner.may_name(key):
            self.cleaner_write().run()

    def _is_read(self) -> bool:
        """What lies here is as the last stop in good order left it, or recovered since."""
        if self.clean:
            return True
        return not self._has_folders() if self._unread is None else not self._unread

    def _have_read(self, folder: str) -> None:
        if self._unread is not None:
            self._unread.discard(folder)

    def _unique(self) -> str:
        return f"{self.env.random.getrandbits(128):032x}"

    # --- checkpoints and closing ---

    def lower(self, key: PartitionKey, offset: int, whose: Hashable) -> None:
        """From the next checkpoint on: nothing of this log from `offset` on is on the disk.

        So whatever the disk leaves of a cut there, one that it refuses half-way too, is read
        through after a crash. Until `whose` wish is released, whatever is flushed meanwhile.
        """
        self._lowered.setdefault(key, {})[whose] = offset

    def release(self, key: PartitionKey, whose: Hashable) -> None:
        """The log was cut, or will not be: its own recovery point holds again."""
        wishes = self._lowered.get(key, {})
        wishes.pop(whose, None)
        if not wishes:
            self._lowered.pop(key, None)

    def is_lowered(self, key: PartitionKey) -> bool:
        """Whether somebody is about to cut this log."""
        return key in self._lowered

    def recovery_point_write(self) -> CheckpointWrite:
        """The recovery points of all logs, durably; of logs not opened, as they were."""
        write = self._offsets.recovery_points(self.all_logs(), self._limits())
        return self._cleaner.beside(write, self.all_logs(), self._limits())

    def cleaner_write(self) -> CheckpointWrite:
        """How far each log was cleaned, durably (CMP-15)."""
        return self._cleaner.write(self.all_logs(), self._limits())

    def all_logs(self) -> dict[PartitionKey, PartitionLog]:
        """Future ones too: a directory never has both of one partition."""
        return self.futures | self.logs

    def _limits(self) -> dict[PartitionKey, int]:
        return {key: min(wishes.values()) for key, wishes in self._lowered.items()}

    def checkpoint_write(self, *, durable: bool = True) -> CheckpointWrite:
        """Recovery points, log starts and high watermarks of all logs.

        Of those that were not opened yet, or could not be, what the files said before.
        """
        return self._offsets.all_three(self.all_logs(), self._limits(), durable=durable)

    def write_checkpoints(self, *, durable: bool = True) -> None:
        """`checkpoint_write`, here and now. Raises OSError."""
        self.checkpoint_write(durable=durable).run()

    def close(self, *, broker_epoch: int = -1) -> None:
        """Flush and close all logs, write the checkpoints, and last the marker of a clean stop.

        If a log failed, or was not opened since a crash, there is no marker: the next start reads
        through what is not known to be on the disk. Never raises for a failing disk:
        see `failures`.
        """
        for log in self.all_logs().values():
            try:
                log.close(clean=True)
            except LogDirectoryFailure as failure:
                self.notes.append(str(failure))
        try:
            self.write_checkpoints()
            if self._is_read() and not self.failures and not self.env.maybe("clean-stop-unnoted"):
                write_clean_shutdown(self.env.disk, self.path, broker_epoch)
        except OSError as error:
            self.failures.append(LogDirectoryFailure(self.path, "closing", error))
            self.notes.append(str(self.failures[-1]))
