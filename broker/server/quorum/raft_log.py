"""The metadata log on disk as the consensus core sees it: the port `RaftLog` over a partition log.

Nothing here is durable by itself; `flush_start` and `flush_end` are for the driver, which syncs on
another thread. A truncation that comes while a flush runs bounds what that flush made durable.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, cast

from barnabas.protocol.batch_errors import CorruptBatchError
from barnabas.protocol.message import Message
from barnabas.protocol.messages.k_raft_version_record import KRaftVersionRecord
from barnabas.protocol.messages.leader_change_message import LeaderChangeMessage, Voter
from barnabas.protocol.record_batch import check_batch, iter_batch_headers, read_batch_header

from ...core.log.flushing import Syncable
from ...core.log.origin import Origin
from ...core.log.partition_log import PartitionLog
from ...core.ports import Buffer, Env
from ...core.raft.messages import EpochEnd, Records
from ...core.raft.metadata_batches import control_batch, entries, metadata_batch
from ...core.raft.ports import Control, ControlEntry, KRaftVersion, LeaderChange
from ...core.raft.snapshot_file import DamagedSnapshotError, Snapshot, SnapshotId
from ...core.raft.voters import Voters
from ..formatting import MetadataError
from .snapshots import BOOTSTRAP_ID, SnapshotFiles

METADATA_VERSION: Final = "metadata.version"
_SCAN_BYTES: Final = 1 << 20


class QuorumLog:
    """Implements `core.raft.ports.RaftLog`. Calls may raise LogDirectoryFailure or OSError."""

    def __init__(
        self,
        env: Env,
        log: PartitionLog,
        snapshots: SnapshotFiles,
        metadata_version: Callable[[], int],
    ) -> None:
        """`metadata_version` is the committed level; it holds until this leader appends another."""
        self.log = log
        self.files = snapshots
        self._env = env
        self._committed_version = metadata_version
        self._appended_version: tuple[int, int] | None = None  # epoch, level
        self._durable_limit = 0  # a truncation during a flush lowers it
        self._is_flushing = False
        self._controls: list[ControlEntry] | None = None  # as read from the disk at boot

    # --- the ends -----------------------------------------------------------------------------

    @property
    def start_offset(self) -> int:
        return self.log.log_start_offset

    @property
    def end_offset(self) -> int:
        return self.log.log_end_offset

    @property
    def last_epoch(self) -> int:
        return max(self.log.leader_epochs.latest, 0)

    def end_of_epoch(self, epoch: int) -> EpochEnd:
        epochs = self.log.leader_epochs
        if epoch >= epochs.latest:
            return EpochEnd(epochs.latest, self.end_offset)
        known, end_offset = epochs.end_offset_for(epoch, self.end_offset)
        if not epochs.epochs or epoch < epochs.epochs[0]:
            return self._before_first_epoch(epoch)
        return EpochEnd(known, end_offset)

    def _before_first_epoch(self, epoch: int) -> EpochEnd:
        """All records are of later epochs; the snapshot that they follow on may be of this one."""
        start = self.start_offset
        for snapshot in self.files.ids:
            if snapshot.end_offset == start and snapshot.epoch <= epoch:
                return EpochEnd(snapshot.epoch, start)
        return EpochEnd(-1, start)

    # --- appending ----------------------------------------------------------------------------

    def append_messages(self, messages: Sequence[Message], epoch: int) -> int:
        batch = metadata_batch(
            messages,
            self._version(epoch),
            base_offset=self.end_offset,
            epoch=epoch,
            now_ms=self._env.clock.wall_ms(),
        )
        self._append(batch, epoch)
        for message in messages:
            if message.NAME == "FeatureLevelRecord":
                self._note_feature(message, epoch)
        return self.end_offset

    def _version(self, epoch: int) -> int:
        if self._appended_version is not None and self._appended_version[0] == epoch:
            return self._appended_version[1]
        return self._committed_version()

    def _note_feature(self, message: Message, epoch: int) -> None:
        if message.name == METADATA_VERSION:  # type: ignore[attr-defined]  # by its NAME
            self._appended_version = (epoch, message.feature_level)  # type: ignore[attr-defined]

    def append_control(self, controls: Sequence[Control], epoch: int) -> int:
        batch = control_batch(
            [message_of(one) for one in controls],
            base_offset=self.end_offset,
            epoch=epoch,
            now_ms=self._env.clock.wall_ms(),
        )
        self._append(batch, epoch)
        return self.end_offset

    def _append(self, batch: bytes, epoch: int) -> None:
        now_ms = self._env.clock.wall_ms()
        self.log.append_batch(batch, 0, len(batch), epoch, now_ms, Origin.RAFT)
        self._controls = None

    def append_records(self, records: Records) -> Sequence[ControlEntry]:
        data = cast("Buffer", records)  # the core only asks whether there are any
        offset = self.end_offset
        found: list[ControlEntry] = []
        end = 0
        for position, header in iter_batch_headers(data):
            check_batch(data, position, len(data))
            if header.base_offset != offset:
                raise CorruptBatchError(
                    f"a batch at offset {header.base_offset} where {offset} was due"
                )
            offset = header.next_offset
            end = position + header.size
            if header.is_control:
                found += control_entries(data[position:end])
        if end:
            self.log.append_as_follower(memoryview(data)[:end])
            self._controls = None
        return found

    # --- reading ------------------------------------------------------------------------------

    def read(self, offset: int, max_bytes: int) -> bytes:
        return bytes(self.log.read(offset, max_bytes, self.end_offset, at_least_one_batch=True))

    def is_batch_boundary(self, offset: int) -> bool:
        if offset == self.end_offset:
            return True
        if not self.start_offset <= offset < self.end_offset:
            return False
        head = self.log.read(offset, 1, self.end_offset, at_least_one_batch=True)
        return read_batch_header(head).base_offset == offset

    def controls(self) -> Sequence[ControlEntry]:
        if self._controls is None:
            self._controls = self._read_controls()
        return self._controls

    def _read_controls(self) -> list[ControlEntry]:
        found: list[ControlEntry] = []
        latest = self.files.latest
        for snapshot in (BOOTSTRAP_ID if self.files.has_bootstrap else None, latest):
            if snapshot is not None:
                for message in self._load(snapshot).control:
                    control = control_of(message)
                    if control is not None:
                        found.append(ControlEntry(-1, control))
        offset = self.start_offset if latest is None else max(latest.end_offset, self.start_offset)
        while offset < self.end_offset:
            data = self.read(offset, _SCAN_BYTES)
            for position, header in iter_batch_headers(data):
                if header.is_control and header.base_offset >= offset:
                    found += control_entries(data[position : position + header.size])
                offset = max(offset, header.next_offset)
        return found

    def _load(self, snapshot: SnapshotId) -> Snapshot:
        """A newer one has the voters of the first one as well. Raises MetadataError."""
        try:
            return self.files.load(snapshot)
        except DamagedSnapshotError as error:
            if snapshot == BOOTSTRAP_ID and self.files.latest is not None:
                return Snapshot(0, [], [])
            path = f"{self.files.folder}/{snapshot.file_name}"
            raise MetadataError(f"{path}: damaged snapshot: {error}") from None

    # --- cutting ------------------------------------------------------------------------------

    def truncate(self, offset: int) -> None:
        self.log.truncate_to(offset)
        self._durable_limit = min(self._durable_limit, offset)
        self._appended_version = self._controls = None

    def truncate_to_snapshot(self, snapshot: SnapshotId) -> None:
        self.log.truncate_fully_and_start_at(snapshot.end_offset)
        self.log.assign_epoch(snapshot.epoch)
        self._durable_limit = min(self._durable_limit, snapshot.end_offset)
        self._appended_version = self._controls = None
        self.files.retire_before(snapshot.end_offset)

    def raise_start(self, snapshot: SnapshotId) -> None:
        log = self.log
        log.high_watermark = max(log.high_watermark, snapshot.end_offset)
        log.advance_log_start(snapshot.end_offset)
        log.retire_segments(self._env.clock.wall_ms())
        self.files.retire_before(snapshot.end_offset)

    def settle_start(self) -> None:
        """At boot: the log begins with its first segment, or where a snapshot ends (630-11)."""
        log = self.log
        if log.log_start_offset == 0:
            return
        for snapshot in self.files.ids:
            if log.log_start_offset <= snapshot.end_offset <= log.log_end_offset:
                log.high_watermark = snapshot.end_offset
                log.advance_log_start(snapshot.end_offset)
                if log.leader_epochs.latest < snapshot.epoch:
                    log.assign_epoch(snapshot.epoch)
                return

    # --- snapshots ----------------------------------------------------------------------------

    def snapshots(self) -> Sequence[SnapshotId]:
        return self.files.ids

    def snapshot_size(self, snapshot: SnapshotId) -> int:
        return self.files.size(snapshot)

    def read_snapshot(self, snapshot: SnapshotId, position: int, max_bytes: int) -> Buffer | None:
        if self._env.maybe("snapshot-gone"):
            return None
        if self._env.maybe("snapshot-chunk-tiny"):
            max_bytes = 1
        return self.files.read(snapshot, position, max_bytes)

    def download_position(self, snapshot: SnapshotId) -> int:
        if self._env.maybe("snapshot-download-lost"):
            self.files.drop_part()
        return self.files.part_size(snapshot)

    def append_download(self, snapshot: SnapshotId, data: Records) -> None:
        self.files.append_part(snapshot, (cast("Buffer", data),))

    def drop_download(self) -> None:
        self.files.drop_part()

    # --- flushing, for the driver -------------------------------------------------------------

    def flush_start(self) -> list[Syncable]:
        """The files to fsync on another thread, in one flush at a time; then call `flush_end`."""
        assert not self._is_flushing, "one flush at a time"
        self._is_flushing = True
        self._durable_limit = self.end_offset
        return self.log.flush_files()

    def flush_end(self, error: OSError | None) -> int:
        """The fsyncs have returned, or failed; returns the offset below which everything is durable
        now."""
        self._is_flushing = False
        if error is not None:
            self.log.flush_failed(error)
            return self.log.recovery_point
        # What was cut and written again meanwhile is not what was synced.
        self.log.mark_flushed(self._durable_limit)
        return self.log.recovery_point


def message_of(control: Control) -> Message:
    """The control record for this part of the quorum's state."""
    if isinstance(control, LeaderChange):
        return LeaderChangeMessage(
            leader_id=control.leader_id,
            voters=[Voter(voter_id=one.node_id) for one in control.voters],
            granting_voters=[Voter(voter_id=one.node_id) for one in control.granting_voters],
        )
    if isinstance(control, KRaftVersion):
        return KRaftVersionRecord(k_raft_version=control.level)
    return control.record()


def control_of(message: Message) -> KRaftVersion | Voters | None:
    """What a control record says about the quorum; None for the other kinds."""
    if message.NAME == "VotersRecord":
        return Voters.from_record(message)  # type: ignore[arg-type]  # by its name
    if message.NAME == "KRaftVersionRecord":
        return KRaftVersion(message.k_raft_version)  # type: ignore[attr-defined]  # by its name
    return None


def control_entries(batch: Buffer) -> list[ControlEntry]:
    """Voter sets and kraft.versions in a control batch. Raises DecodeError, KafkaError."""
    found = []
    for entry in entries(batch):
        control = control_of(entry.message)
        if control is not None:
            found.append(ControlEntry(entry.offset, control))
    return found
