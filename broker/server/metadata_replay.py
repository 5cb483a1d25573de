"""From the files of `__cluster_metadata-0` to the state of the cluster: snapshot, then the log.

Read at start, before anything is served. What barnabas does not know, it refuses rather than skips:
a record of an unknown type would be lost in our next snapshot.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from barnabas.protocol.errors import DecodeError, KafkaError

from ..core.cluster.image import ClusterImage, DamagedMetadataError
from ..core.cluster.topic_image import METADATA_TOPIC, METADATA_TOPIC_ID
from ..core.config.topic import TopicConfig
from ..core.log.file_names import CLUSTER_METADATA_FOLDER
from ..core.log.partition_log import PartitionLog
from ..core.raft.metadata_batches import entries
from ..core.raft.quorum_state import FILE_NAME, DamagedQuorumStateError, QuorumState
from ..core.raft.snapshot_file import DamagedSnapshotError, SnapshotId, decode_snapshot, parse_name
from ..core.raft.voters import Voters
from .formatting import MetadataError

if TYPE_CHECKING:
    from barnabas.protocol.message import Message

    from ..core.config.broker import BrokerConfig
    from ..core.log.log_directory import LogDirectory
    from ..core.ports import Env

_READ_BYTES: Final = 1 << 20


def open_metadata_log(config: BrokerConfig, env: Env, home: LogDirectory) -> PartitionLog:
    """The log of `__cluster_metadata-0` in an open log directory. Raises OSError."""
    settings = TopicConfig(
        segment_bytes=config.metadata_log_segment_bytes,
        segment_ms=config.metadata_log_segment_ms,
        retention_ms=-1,
        retention_bytes=-1,
    )
    return PartitionLog.open(
        f"{home.path}/{CLUSTER_METADATA_FOLDER}",
        env,
        settings,
        topic=METADATA_TOPIC,
        partition=0,
        topic_id=METADATA_TOPIC_ID,
        recovery_point=0,
        clean=home.clean,
        deletions=home.deletions,
    )


class Replay:
    """Applies what is on disk to an image, and remembers what it saw of the quorum."""

    def __init__(self, disk_env: Env, log: PartitionLog, image: ClusterImage) -> None:
        self._env = disk_env
        self._log = log
        self.image = image
        self.voters: Voters | None = None
        self.kraft_version = 0
        self.snapshot: SnapshotId | None = None
        self.notes: list[str] = []

    def run(self) -> None:
        """Load everything; raises MetadataError, OSError."""
        self._load_snapshot()
        log = self._log
        start = 0 if self.snapshot is None else self.snapshot.end_offset
        if log.log_start_offset > start:
            raise MetadataError(
                f"{log.directory}: the log begins at {log.log_start_offset}, and no snapshot "
                "covers what was before (630-11)"
            )
        if start > log.log_end_offset:
            # The snapshot is newer than the log's end: what it covers is all that is left.
            log.truncate_fully_and_start_at(start)
        offset = start
        while offset < log.log_end_offset:
            data = bytes(log.read(offset, _READ_BYTES, log.log_end_offset, at_least_one_batch=True))
            offset = self._apply(data, offset)

    def _apply(self, data: bytes, start: int) -> int:
        offset = start
        try:
            for entry in entries(data):
                if entry.offset < start:
                    continue
                offset = entry.offset + 1
                if entry.is_control:
                    self._note(entry.message)
                    self.image.pass_over(entry.offset, entry.epoch)
                else:
                    self.image.apply(entry.message, entry.offset)
                    self.image.last_epoch = entry.epoch
        except (DecodeError, KafkaError, DamagedMetadataError) as error:
            raise MetadataError(
                f"{self._log.directory}: after offset {offset - 1}: {error}"
            ) from error
        if offset == start:
            raise MetadataError(f"{self._log.directory}: nothing can be read at offset {start}")
        return offset

    def _note(self, message: Message) -> None:
        if message.NAME == "VotersRecord":
            self.voters = Voters.from_record(message)  # type: ignore[arg-type]  # by its name
        elif message.NAME == "KRaftVersionRecord":
            self.kraft_version = message.k_raft_version  # type: ignore[attr-defined]

    def _load_snapshot(self) -> None:
        disk = self._env.disk
        folder = self._log.directory
        found = [parse_name(name) for name in disk.list_directory(folder)]
        for snapshot in sorted((one for one in found if one is not None), reverse=True):
            path = f"{folder}/{snapshot.file_name}"
            try:
                content = decode_snapshot(disk.read_file(path))
            except DamagedSnapshotError as error:
                self.notes.append(f"{path}: {error}; passed over")
                continue
            for message in content.control:
                self._note(message)
            for record in content.records:
                self.image.apply(record, snapshot.end_offset - 1)
            self.image.pass_over(snapshot.end_offset - 1, snapshot.epoch)
            self.snapshot = snapshot
            return


def read_quorum_state(env: Env, directory: str) -> QuorumState:
    """What `quorum-state` says; the beginning of all things if it is not there.

    Raises MetadataError, OSError.
    """
    path = f"{directory}/{CLUSTER_METADATA_FOLDER}/{FILE_NAME}"
    if not env.disk.exists(path):
        return QuorumState()
    try:
        return QuorumState.decode(env.disk.read_file(path))
    except DamagedQuorumStateError as error:
        raise MetadataError(f"{path}: {error}") from None


def write_quorum_state(env: Env, directory: str, state: QuorumState) -> None:
    """Make it durable (595-01). Raises OSError."""
    path = f"{directory}/{CLUSTER_METADATA_FOLDER}/{FILE_NAME}"
    env.disk.write_file_atomically(path, state.encode())
