"""Settings of the metadata quorum, its log and its snapshots, and of brokers as members."""

from __future__ import annotations

from dataclasses import dataclass

from .field import DAY_MS, GIB, HOUR_MS, MIB, MINUTE_MS, SECOND_MS, Long, Names, Settings, setting


@dataclass(frozen=True, init=False, repr=False, eq=False)
class QuorumSettings(Settings):
    """Roles, voters, elections, the metadata log and its snapshots."""

    node_id: int = setting(
        -1,
        minimum=-1,
        aliases=("broker.id",),
        doc="This node's number; -1 takes the directory's, or 1 for an empty directory.",
    )
    cluster_id: str | None = setting(
        None, doc="Cluster id for an empty directory; a new random one if not set."
    )
    process_roles: Names = setting(
        ("broker", "controller"),
        choices=("broker", "controller"),
        doc="What this node is: broker, controller, or both.",
    )
    controller_quorum_voters: Names = setting(
        (), doc="Voters of a quorum that never changes: id@host:port, …"
    )
    controller_quorum_bootstrap_servers: Names = setting(
        (), doc="Where to find the quorum: host:port, …"
    )
    controller_quorum_initial_voters: Names = setting(
        (),
        doc="First voters of a new quorum that may change, for empty directories: "
        "id@host:port:directory.id, …",
    )
    controller_quorum_election_timeout_ms: int = setting(
        SECOND_MS, unit="ms", minimum=0, doc="Time to win an election before the next is begun."
    )
    controller_quorum_fetch_timeout_ms: int = setting(
        1500, unit="ms", minimum=0, doc="Silence of the leader after which one is elected."
    )
    controller_quorum_election_backoff_max_ms: int = setting(
        SECOND_MS, unit="ms", minimum=0, doc="Longest pause after a lost election."
    )
    controller_quorum_append_linger_ms: int = setting(
        25,
        unit="ms",
        minimum=0,
        doc="Longest wait for more records before they are written. Here nothing waits: what comes "
        "while an fsync runs shares the next one.",
        has_effect=False,
    )
    controller_quorum_request_timeout_ms: int = setting(
        2 * SECOND_MS, unit="ms", minimum=0, doc="Time in which another voter must have answered."
    )
    controller_quorum_retry_backoff_ms: int = setting(
        20, unit="ms", minimum=0, doc="Pause after a failed request to another voter."
    )
    controller_quorum_fetch_max_bytes: int = setting(
        MIB, unit="bytes", minimum=1, doc="Most bytes of the metadata log in one answer."
    )
    controller_quorum_fetch_snapshot_max_bytes: int = setting(
        MIB, unit="bytes", minimum=1, doc="Most bytes of a snapshot in one answer."
    )
    controller_quorum_auto_join_enable: bool = setting(
        False, doc="Whether a new controller makes itself a voter."
    )
    metadata_log_max_record_bytes_between_snapshots: Long = setting(
        20 * MIB, unit="bytes", minimum=1, doc="Bytes of records after which a snapshot is made."
    )
    metadata_log_max_snapshot_interval_ms: Long = setting(
        HOUR_MS, unit="ms", minimum=0, doc="Age of new records at which a snapshot is made."
    )
    controller_snapshot_minimum_records: Long = setting(
        16384, unit="records", minimum=1, doc="Records after which a snapshot is made (KIP-630)."
    )
    max_replication_lag_ms: Long = setting(
        7 * DAY_MS,
        unit="ms",
        minimum=0,
        doc="Time after which the log is cut although a node still needs it (KIP-630).",
    )
    metadata_log_segment_bytes: int = setting(
        GIB, unit="bytes", minimum=8 * MIB, doc="Size of a segment of the metadata log."
    )
    metadata_log_segment_ms: Long = setting(
        7 * DAY_MS, unit="ms", minimum=1, doc="Age of a segment of the metadata log."
    )
    metadata_max_retention_bytes: Long = setting(
        100 * MIB, unit="bytes", minimum=-1, doc="Size to which log and snapshots are cut."
    )
    metadata_max_retention_ms: Long = setting(
        7 * DAY_MS, unit="ms", minimum=-1, doc="Age at which log and snapshots are cut."
    )
    metadata_max_idle_interval_ms: int = setting(
        500,
        unit="ms",
        minimum=0,
        doc="Pause after which a no-op record is written, a quarter of "
        "leader.metadata.staleness.max.ms at most; 0: only that counts.",
    )
    initial_broker_registration_timeout_ms: int = setting(
        MINUTE_MS, unit="ms", minimum=1, doc="Time in which a broker must have registered."
    )
    broker_heartbeat_interval_ms: int = setting(
        500, unit="ms", minimum=1, doc="How often a broker tells that it lives."
    )
    broker_session_timeout_ms: int = setting(
        2500, unit="ms", minimum=1, doc="Silence after which a broker is fenced."
    )
    broker_connection_loss_grace_ms: int = setting(
        200,
        unit="ms",
        minimum=0,
        doc="Time in which a broker whose heartbeat connection broke must be back, or it is "
        "fenced; 0 waits for broker.session.timeout.ms.",
    )
    lost_broker_listing_ms: int = setting(
        9000,
        unit="ms",
        minimum=0,
        doc="Time for which clients are still told where a broker was that is fenced and did not "
        "stop in good order; it leads nothing meanwhile. In Kafka it is missed after as long.",
    )
    admin_answers_wait_enable: bool = setting(
        True,
        doc="Whether create, delete and alter answer when every live broker has applied them.",
    )
    controller_queue_max_commands: int = setting(
        10_000, minimum=1, doc="Most commands that wait to be committed."
    )
