"""Snapshots of the metadata log: which may be made, served, loaded, and what they let go (KIP-630).

End offsets are exclusive, as on Kafka's wire (630-00).
"""

from __future__ import annotations

from math import inf

from barnabas.protocol.errors import ErrorCode

from . import claims, lost_writes, observers
from .messages import Fetch, FetchSnapshot, FetchSnapshotAnswer
from .ports import Control, KRaftVersion, RaftLog
from .snapshot_file import SnapshotId
from .states import (
    Candidate,
    Follower,
    InFlight,
    Leader,
    Prospective,
    QuorumBrokenError,
    Replica,
    Unattached,
)


def check_at_boot(replica: Replica, now_ms: float) -> None:
    """Check that log and snapshots fit; else replace the log or begin an empty one (630-11)."""
    log = replica.log
    known = log.snapshots()
    for one in known:
        replica.snapshot_seen_ms[one] = now_ms
    newest = known[-1] if known else SnapshotId(0, 0)
    if lacks_beginning(log):
        newest = SnapshotId(0, 0)
        log.truncate_to_snapshot(newest)  # without the state before them, records are of no use
        replica.reload_controls()
        lost_writes.abstain(replica)
    elif newest.end_offset and not _reaches(replica, newest):
        log.truncate_to_snapshot(newest)
        replica.reload_controls()
    replica.high_watermark = replica.delivered_offset = newest.end_offset


def lacks_beginning(log: RaftLog) -> bool:
    """Whether the log begins after every snapshot, so that the state before it is missing."""
    known = log.snapshots()
    return log.start_offset > (known[-1].end_offset if known else 0)


def _reaches(replica: Replica, snapshot: SnapshotId) -> bool:
    """Whether the log has the snapshot's last record, or starts right after it."""
    log = replica.log
    if log.end_offset < snapshot.end_offset:
        return False
    if log.start_offset == snapshot.end_offset:
        return True
    end = log.end_of_epoch(snapshot.epoch)
    return end.epoch == snapshot.epoch and end.end_offset >= snapshot.end_offset


def check(replica: Replica, snapshot: SnapshotId) -> None:
    """630-04: committed, not before the log's start, on a batch boundary, of the right epoch."""
    log = replica.log
    end_offset, epoch = snapshot
    if end_offset > replica.high_watermark:
        raise ValueError(f"offset {end_offset} is above the high watermark")
    if end_offset < log.start_offset:
        raise ValueError(f"offset {end_offset} is before the log's start {log.start_offset}")
    if not log.is_batch_boundary(end_offset):
        raise ValueError(f"offset {end_offset} is inside a batch")
    if not _has_epoch(replica, snapshot):
        raise ValueError(f"the record before offset {end_offset} is not of epoch {epoch}")


def _has_epoch(replica: Replica, snapshot: SnapshotId) -> bool:
    """Whether the record before the end offset is of the snapshot's epoch."""
    end_offset, epoch = snapshot
    log = replica.log
    end = log.end_of_epoch(epoch)
    if end.epoch != epoch or end.end_offset < end_offset:
        return False
    return epoch == 0 or log.end_of_epoch(epoch - 1).end_offset < end_offset


def controls_before(replica: Replica, end_offset: int) -> list[Control]:
    """kraft.version and voters as of an offset, for the head of a snapshot."""
    levels = [level for offset, level in replica.kraft_versions if offset < end_offset]
    sets = [voters for offset, voters in replica.voter_sets if offset < end_offset]
    if not levels or not sets or levels[-1] < 1:
        return []
    return [KRaftVersion(levels[-1]), sets[-1]]


# Serving ------------------------------------------------------------------------------------


def wanted_by(replica: Replica, request: Fetch) -> SnapshotId | None:
    """630-10: the snapshot to load for a replica whose next record is gone, or which is empty."""
    log = replica.log
    known = log.snapshots()
    if not known:
        return None
    oldest = known[0]
    offset, start = request.offset, log.start_offset
    if offset < start or offset == 0:
        return known[-1]
    if offset == start and request.last_epoch != oldest.epoch:
        return known[-1]
    return known[-1] if request.last_epoch < oldest.epoch else None


def serve(
    replica: Replica, request: FetchSnapshot, error: ErrorCode, now_ms: float
) -> FetchSnapshotAnswer:
    """Answer FetchSnapshot with the piece that was asked for, or an error (630-12, 630-13).

    The replica counts as alive; the high watermark does not move (630-15).
    """
    answer = FetchSnapshotAnswer(
        error or claims.check_leadership(replica, request.epoch),
        replica.known_leader(),
        replica.epoch,
        request.snapshot,
        leader_address=replica.leader_address(),
    )
    if answer.error:
        return answer
    role = replica.role
    assert type(role) is Leader
    observers.note_alive(replica, role, request.replica, now_ms)
    size = replica.log.snapshot_size(request.snapshot) if request.snapshot.end_offset else -1
    if size < 0:
        answer.error = ErrorCode.SNAPSHOT_NOT_FOUND
        return answer
    if not 0 <= request.position < size:
        answer.error = ErrorCode.POSITION_OUT_OF_RANGE
        return answer
    # A file that is asked for less than nothing fails, and with it the node's metadata log.
    most = max(request.max_bytes, 0)
    piece = replica.log.read_snapshot(request.snapshot, request.position, most)
    if piece is None:
        answer.error = ErrorCode.SNAPSHOT_NOT_FOUND
        return answer
    answer.size, answer.position, answer.data = size, request.position, piece
    return answer


# Loading ------------------------------------------------------------------------------------


def begin_download(replica: Replica, snapshot: SnapshotId) -> None:
    """Begin to load a snapshot; the log stays until the file is complete (C28)."""
    if snapshot.end_offset < replica.high_watermark:
        raise QuorumBrokenError(
            f"the leader of epoch {replica.epoch} offers {snapshot}, but "
            f"{replica.high_watermark} is committed here"
        )
    if replica.log.snapshot_size(snapshot) >= 0:
        install(replica, snapshot)  # complete already, from before a restart
        return
    if replica.download_epoch != replica.epoch:
        replica.log.drop_download()  # another leader's file of this id has other bytes (630-05)
        replica.download_epoch = replica.epoch
    replica.download = snapshot


def next_piece(replica: Replica) -> FetchSnapshot:
    """The request for the next bytes of the snapshot that is being loaded."""
    snapshot = replica.download
    assert snapshot is not None
    config = replica.config
    return FetchSnapshot(
        config.cluster_id,
        replica.me,
        replica.epoch,
        snapshot,
        replica.log.download_position(snapshot),
        config.fetch_snapshot_max_bytes,
    )


def on_answer(
    replica: Replica, flight: InFlight, answer: FetchSnapshotAnswer, now_ms: float
) -> None:
    """Append the piece that was asked for; the last one completes the file (630-14)."""
    role, snapshot = replica.role, replica.download
    if type(role) is not Follower or snapshot is None or flight.epoch != replica.epoch:
        return
    request = flight.request
    assert type(request) is FetchSnapshot
    position = replica.log.download_position(snapshot)
    is_the_piece = (answer.snapshot, answer.position) == (snapshot, position)
    if answer.error is ErrorCode.NONE and is_the_piece and request.snapshot == snapshot:
        # 630-15: a download keeps the leader alive for us, as a Fetch does.
        role.has_heard, role.is_lost = True, False
        replica.proven = replica.told_leader
        role.deadline_ms = now_ms + replica.config.fetch_timeout_ms
        replica.log.append_download(snapshot, answer.data)
        replica.fetch_after_ms = now_ms
        if position + len(answer.data) >= answer.size:
            replica.download = None
            replica.freezing = replica.ready.freeze = snapshot
    elif answer.error in (
        ErrorCode.NONE,
        ErrorCode.SNAPSHOT_NOT_FOUND,
        ErrorCode.POSITION_OUT_OF_RANGE,
    ):
        replica.log.drop_download()  # 630-18: another leader, or it was deleted; Fetch says more
        replica.download = None


def on_frozen(replica: Replica, snapshot: SnapshotId, is_valid: bool, now_ms: float) -> None:
    """The file is complete: it replaces the log, unless that is no longer needed."""
    if replica.freezing != snapshot:
        return
    replica.freezing = None
    if not is_valid:
        replica.fetch_after_ms = now_ms + replica.config.retry_backoff_ms
        return
    replica.snapshot_seen_ms.setdefault(snapshot, now_ms)
    if type(replica.role) is Leader or snapshot.end_offset < replica.high_watermark:
        return  # 630-16: a leader has all that is committed
    if isinstance(replica.role, Candidate | Prospective):
        replica.role = Unattached(replica.role.deadline_ms)  # it asked with another log
    install(replica, snapshot)


def install(replica: Replica, snapshot: SnapshotId) -> None:
    """Begin an empty log at the snapshot's end; everything before that is committed."""
    log = replica.log
    log.truncate_to_snapshot(snapshot)
    replica.freshness.begin()
    replica.flush_generation += 1
    replica.flushed_offset = replica.flushing_offset = snapshot.end_offset
    replica.flushed_epoch = snapshot.epoch
    replica.high_watermark = max(replica.high_watermark, snapshot.end_offset)
    replica.delivery_deadline_ms = inf
    replica.reload_controls()
    replica.ready.snapshot = snapshot
    replica.ready.high_watermark = replica.high_watermark


# The start of the log -----------------------------------------------------------------------


def may_raise_start(replica: Replica, snapshot: SnapshotId, now_ms: float) -> bool:
    """Whether the log may begin at this snapshot's end (630-07).

    The snapshot must exist, and every live replica must have fetched that far, or enough time have
    passed. A new leader does not know its replicas yet, so it waits one session time first.
    """
    role = replica.role
    log = replica.log
    if type(role) is not Leader or log.snapshot_size(snapshot) < 0:
        return False
    if not log.start_offset < snapshot.end_offset <= replica.high_watermark:
        return False
    seen_ms = replica.snapshot_seen_ms.setdefault(snapshot, now_ms)
    if now_ms - seen_ms >= replica.config.max_replication_lag_ms:
        return True
    session_ms = replica.config.replica_session_ms
    if now_ms - role.since_ms < session_ms and replica.others:
        return False
    everyone = [*role.voters.values(), *role.observers.values()]
    return all(
        one.end_offset >= snapshot.end_offset
        for one in everyone
        if now_ms - one.last_fetch_ms <= session_ms
    )


def raise_start(replica: Replica, snapshot: SnapshotId, now_ms: float) -> bool:
    """Raise the start of the leader's log if `may_raise_start` allows it; whether it does."""
    if not may_raise_start(replica, snapshot, now_ms):
        return False
    _raise(replica, snapshot)
    return True


def _raise(replica: Replica, snapshot: SnapshotId) -> None:
    replica.log.raise_start(snapshot)
    for one in [it for it in replica.snapshot_seen_ms if it.end_offset < snapshot.end_offset]:
        del replica.snapshot_seen_ms[one]


def follow_start(replica: Replica, leader_start: int) -> None:
    """Raise a follower's log start to its own newest snapshot not above the leader's (630-08)."""
    if leader_start <= replica.log.start_offset:
        return
    fitting = [
        one
        for one in replica.log.snapshots()
        if replica.log.start_offset < one.end_offset <= leader_start
    ]
    if fitting and fitting[-1].end_offset <= replica.high_watermark:
        _raise(replica, fitting[-1])
