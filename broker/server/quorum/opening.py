"""From log directories to a replica of the metadata log: identity, files, settings, voters.

Blocking; done before anything is served. What barnabas does not know it refuses rather than skips:
a record of an unknown type would be lost in our next snapshot.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ...core.cluster.topic_image import METADATA_TOPIC, METADATA_TOPIC_ID
from ...core.config.broker import BrokerConfig
from ...core.config.topic import TopicConfig
from ...core.log.file_names import CLUSTER_METADATA_FOLDER
from ...core.log.log_directory import LogDirectory
from ...core.log.open_log import open_log
from ...core.log.partition_log import PartitionLog
from ...core.ports import Env
from ...core.raft.freshness import tail_wait_ms
from ...core.raft.messages import ReplicaKey
from ...core.raft.ports import RaftConfig
from ...core.raft.quorum_state import FILE_NAME, DamagedQuorumStateError, QuorumState
from ...core.raft.snapshots import lacks_beginning
from ...core.raft.voters import Voters
from ..formatting import Identity, MetadataError, identify, voters_of
from .configured import bootstrap_servers, own_addresses, static_voters
from .floor import Floor, read_floor, write_floor
from .lost_log import Situation, check_not_lost, has_segments
from .raft_log import QuorumLog
from .snapshots import SnapshotFiles

FETCH_WAIT_MAX_MS = 500
"""How long the leader holds a Fetch without news."""


class Opened(NamedTuple):
    """The parts that a quorum is made of."""

    identity: Identity
    home: LogDirectory
    log: QuorumLog
    raft: RaftConfig
    state: QuorumState
    floor: Floor
    notes: list[str]


def open_directories(
    config: BrokerConfig,
    env: Env,
    directories: Sequence[LogDirectory],
    metadata_version: Callable[[], int],
) -> Opened:
    """Read (or format) the directories, which are open.

    Raises:
        MetadataError: the directories, the log or the configuration do not go together.
        ConfigError: voters or servers that cannot be read.
        LogDirectoryFailure, OSError: the disk.
    """
    identity = identify(config, env, directories)
    home = next(one for one in directories if one.path == identity.metadata_directory)
    had_segments = has_segments(env.disk, f"{home.path}/{CLUSTER_METADATA_FOLDER}")
    partition_log = open_metadata_log(config, env, home)
    files = SnapshotFiles(env, partition_log.directory, home.deletions)
    files.scan()
    log = QuorumLog(env, partition_log, files, metadata_version)
    report = partition_log.report
    folder = partition_log.directory
    notes = [*files.notes, *(f"{folder}: {one}" for one in (*report.cuts, *report.notes))]
    log.settle_start()
    state = read_quorum_state(env, identity.metadata_directory)
    static = _static_voters(config, identity, log, state)
    _check_alone(identity, log, static)
    voters = _newest_voters(log, static)
    situation = Situation(
        folder,
        identity.node_id,
        state.leader_epoch,
        had_segments,
        is_alone=voters is not None and voters.ids == [identity.node_id],
        is_broker=config.is_broker,
        was_clean=home.clean,
    )
    _check_not_lost(config, env, directories, log, situation)
    floor = _known_floor(config, env, identity, log, notes)
    raft = RaftConfig(
        replica=ReplicaKey(identity.node_id, identity.metadata_directory_id),
        cluster_id=identity.cluster_id,
        can_vote=config.is_controller,
        addresses=own_addresses(config),
        static_voters=static,
        bootstrap_servers=bootstrap_servers(config),
        election_timeout_ms=config.controller_quorum_election_timeout_ms,
        fetch_timeout_ms=config.controller_quorum_fetch_timeout_ms,
        election_backoff_max_ms=config.controller_quorum_election_backoff_max_ms,
        request_timeout_ms=config.controller_quorum_request_timeout_ms,
        retry_backoff_ms=config.controller_quorum_retry_backoff_ms,
        fetch_wait_ms=min(FETCH_WAIT_MAX_MS, config.controller_quorum_fetch_timeout_ms // 2),
        tail_wait_ms=tail_wait_ms(config.leader_metadata_staleness_max_ms),
        fetch_max_bytes=config.controller_quorum_fetch_max_bytes,
        fetch_snapshot_max_bytes=config.controller_quorum_fetch_snapshot_max_bytes,
        max_replication_lag_ms=config.max_replication_lag_ms,
        replica_session_ms=config.broker_session_timeout_ms,
        is_auto_joining=config.controller_quorum_auto_join_enable,
        floor=floor.offset,
        has_lost=floor.abstains,
    )
    return Opened(identity, home, log, raft, state, floor, notes)


def _known_floor(
    config: BrokerConfig, env: Env, identity: Identity, log: QuorumLog, notes: list[str]
) -> Floor:
    """The floor of this disk. If the voter abstains, that is durable before the log is emptied."""
    if not config.is_controller:
        return Floor()
    home, directory_id = identity.metadata_directory, identity.metadata_directory_id
    floor = read_floor(env, home, directory_id, notes)
    if lacks_beginning(log) and not floor.abstains:
        floor = Floor(max(floor.offset, log.end_offset), abstains=True)
        write_floor(env, home, directory_id, floor)
    return floor


def open_metadata_log(config: BrokerConfig, env: Env, home: LogDirectory) -> PartitionLog:
    """The log of `__cluster_metadata-0` in an open log directory. Raises OSError."""
    settings = TopicConfig(
        segment_bytes=config.metadata_log_segment_bytes,
        segment_ms=config.metadata_log_segment_ms,
        retention_ms=-1,
        retention_bytes=-1,
    )
    return open_log(
        f"{home.path}/{CLUSTER_METADATA_FOLDER}",
        env,
        settings,
        topic=METADATA_TOPIC,
        partition=0,
        topic_id=METADATA_TOPIC_ID,
        recovery_point=0,
        clean=home.clean,
        deletions=home.deletions,
        on_failure=home.failures.append,
    )


def _static_voters(
    config: BrokerConfig, identity: Identity, log: QuorumLog, state: QuorumState
) -> Voters | None:
    """Voters that no record of the log names: the settings', or this node alone.

    A directory of Kafka's from before 3.9, or one whose settings were lost, names its voters only
    in `quorum-state`; they must be this node alone, or the settings must say where the others are.
    """
    configured = static_voters(config)
    if configured is not None:
        return configured
    if any(isinstance(entry.control, Voters) for entry in log.controls()):
        return None
    others = [one for one in state.static_voters if one != identity.node_id]
    if others:
        raise MetadataError(
            f"{log.log.directory}: this quorum has the voters {sorted({*state.static_voters})}: "
            "set controller.quorum.voters to say where they are"
        )
    if config.controller_quorum_bootstrap_servers or not config.is_controller:
        return None
    return voters_of(config, identity)


def _newest_voters(log: QuorumLog, static: Voters | None) -> Voters | None:
    voters = static
    for entry in log.controls():
        if isinstance(entry.control, Voters):
            voters = entry.control
    return voters


def _check_not_lost(
    config: BrokerConfig,
    env: Env,
    directories: Sequence[LogDirectory],
    log: QuorumLog,
    situation: Situation,
) -> None:
    """Raises MetadataError, OSError."""
    latest = log.files.latest
    knows_nothing = log.end_offset == 0 and (latest is None or latest.end_offset == 0)
    if config.is_controller and knows_nothing:
        check_not_lost(situation, env.disk, directories)


def _check_alone(identity: Identity, log: QuorumLog, static: Voters | None) -> None:
    """Raise MetadataError for what no other node could repair for a quorum of one."""
    voters = _newest_voters(log, static)
    folder = log.log.directory
    if voters is None or voters.ids != [identity.node_id]:
        return
    if static is None and not voters.has(identity.node_id, identity.metadata_directory_id):
        raise MetadataError(
            f"{folder}: node {identity.node_id} is a voter with another "
            "directory.id than this directory's meta.properties says"
        )
    latest = log.files.latest
    if log.start_offset > (0 if latest is None else latest.end_offset):
        raise MetadataError(
            f"{folder}: the log begins at {log.start_offset}, and no snapshot "
            "covers what was before (630-11); " + _what_is_damaged(log.files)
        )


def _what_is_damaged(files: SnapshotFiles) -> str:
    found = files.notes or [f"{name} is damaged" for name in files.damaged()]
    return "; ".join(found) or "there are none, not even damaged ones"


def read_quorum_state(env: Env, directory: str) -> QuorumState:
    """The content of `quorum-state`, or the initial state if there is no such file.

    Raises MetadataError, OSError.
    """
    path = f"{directory}/{CLUSTER_METADATA_FOLDER}/{FILE_NAME}"
    if not env.disk.exists(path):
        return QuorumState()
    try:
        return QuorumState.decode(env.disk.read_file(path))
    except DamagedQuorumStateError as error:
        raise MetadataError(
            f"{path} is damaged, so this node cannot know for whom it has voted: {error}"
        ) from None


def write_quorum_state(env: Env, directory: str, state: QuorumState) -> None:
    """Make the quorum state durable (595-01). Blocks. Raises OSError."""
    path = f"{directory}/{CLUSTER_METADATA_FOLDER}/{FILE_NAME}"
    env.disk.write_file_atomically(path, state.encode())
